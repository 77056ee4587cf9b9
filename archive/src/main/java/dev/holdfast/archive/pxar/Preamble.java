package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What may stand before the root: the version, and a prelude.
 *
 * @param version 1 or 2
 */
record Preamble(int version, byte @Nullable [] prelude) {

    /** Reads it, if it is there; leaves the input before the root. */
    static Preamble read(RecordInput in, PxarLimits limits) throws IOException {
        in.require("the first record");
        if (in.type() != RecordType.FORMAT_VERSION) {
            return new Preamble(1, null);
        }
        long at = in.position();
        long version = RecordInput.longAt(in.takeContent(), 0);
        if (version != 1 && version != 2) {
            throw new ArchiveFormatException(
                    at, "format version " + Long.toUnsignedString(version) + " is not known here (1 and 2 are)");
        }
        byte[] prelude = null;
        if (in.peek() && in.type() == RecordType.PRELUDE) {
            if (in.contentSize() > limits.preludeBytes()) {
                throw new ArchiveFormatException(
                        in.position(), "the PRELUDE exceeds the limit of " + limits.preludeBytes() + " bytes");
            }
            prelude = in.takeContent();
        }
        return new Preamble((int) version, prelude);
    }
}
