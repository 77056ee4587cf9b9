package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive from the front, step by step. Goodbye tables are passed over unread.
 *
 * <p>Memory does not depend on the archive: one entry and its attributes are held at a time, within {@link PxarLimits}.
 * The streams are not closed, and should be buffered. One thread at a time; after an exception no further call makes
 * sense.
 */
public final class PxarDecoder {

    /** What {@link #next} came upon. */
    public enum Step {
        /** An entry; a directory's children follow, up to its {@link #DIRECTORY_END}. */
        ENTRY,
        /** The end of the directory that was entered last and has not ended yet. */
        DIRECTORY_END,
        /** The end of the archive. */
        END
    }

    private final RecordInput in;
    private final Preamble preamble;
    private final @Nullable PayloadSource payload;
    private final PxarLimits limits;
    private final EntryParser parser;

    private @Nullable PxarEntry entry;
    private boolean begun;
    private boolean named;
    private int depth;
    private long contentLeft;

    PxarDecoder(RecordInput in, Preamble preamble, @Nullable PayloadSource payload, PxarLimits limits) {
        this.in = in;
        this.preamble = preamble;
        this.payload = payload;
        this.limits = limits;
        this.parser = new EntryParser(preamble.version(), limits);
    }

    /** Begins to read an archive of version 1, or the metadata of version 2, whose contents are then out of reach. */
    public static PxarDecoder open(InputStream archive, PxarLimits limits) throws IOException {
        RecordInput in = new RecordInput(archive, 0, RecordInput.UNKNOWN_END);
        return new PxarDecoder(in, Preamble.read(in, limits), null, limits);
    }

    /** Begins to read an archive of version 2. */
    public static PxarDecoder open(InputStream metadata, InputStream payload, PxarLimits limits) throws IOException {
        RecordInput in = new RecordInput(metadata, 0, RecordInput.UNKNOWN_END);
        Preamble preamble = Preamble.read(in, limits);
        if (preamble.version() != 2) {
            throw new ArchiveFormatException(0, "a payload stream goes with version 2 only");
        }
        return new PxarDecoder(in, preamble, new PayloadSource.Sequential(payload), limits);
    }

    /** Reads one entry that is not the root, with all below it. */
    PxarDecoder startingWithName() {
        named = true;
        return this;
    }

    /** Format version, 1 or 2. */
    public int version() {
        return preamble.version();
    }

    /** The opaque bytes in front of a version 2 archive, null if there are none. */
    public byte @Nullable [] prelude() {
        return preamble.prelude();
    }

    /** Directories that have been entered and have not ended yet. */
    public int depth() {
        return depth;
    }

    /** The entry that the last {@link Step#ENTRY} was about. */
    public PxarEntry entry() {
        if (entry == null) {
            throw new IllegalStateException("no entry has been read yet");
        }
        return entry;
    }

    /**
     * Goes on. Contents that were not read are passed over.
     *
     * @throws ArchiveFormatException if the archive is malformed or exceeds a limit
     */
    public Step next() throws IOException {
        if (!begun) {
            begun = true;
            return entered(named ? parser.named(in) : parser.root(in));
        }
        if (preamble.version() == 1 && contentLeft > 0) {
            in.skip(contentLeft);
        }
        contentLeft = 0;
        if (depth == 0) {
            return Step.END;
        }
        in.require("a FILENAME or GOODBYE");
        if (in.type() == RecordType.GOODBYE) {
            in.skip(in.take());
            depth--;
            return Step.DIRECTORY_END;
        }
        return entered(parser.named(in));
    }

    private Step entered(PxarEntry next) throws IOException {
        entry = next;
        if (next.body() instanceof EntryBody.Directory && ++depth > limits.depth()) {
            throw new ArchiveFormatException(
                    next.place().entry(), "directories are nested deeper than the limit of " + limits.depth());
        }
        if (next.body() instanceof EntryBody.File file) {
            contentLeft = file.size();
            if (preamble.version() == 2 && payload != null) {
                payload.announce(file);
            }
        }
        return Step.ENTRY;
    }

    /**
     * The contents of the current file. The stream gives exactly as many bytes as the entry says, or fails; it is of no
     * use after the next call of {@link #next}. To be called at most once for an entry.
     */
    public InputStream content() throws IOException {
        if (!(entry().body() instanceof EntryBody.File file)) {
            throw new IllegalStateException("only a regular file has contents");
        }
        if (preamble.version() == 1) {
            return new Content(file, null);
        }
        if (payload == null) {
            throw new IOException("the contents are in the payload stream, which was not given");
        }
        return new Content(file, payload.open(file));
    }

    private final class Content extends InputStream {

        private final EntryBody.File file;
        private final @Nullable InputStream external;

        Content(EntryBody.File file, @Nullable InputStream external) {
            this.file = file;
            this.external = external;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, buffer.length);
            if (entry == null || entry.body() != file) {
                throw new IOException("the decoder has gone on to another entry");
            }
            if (length == 0) {
                return 0;
            }
            if (contentLeft == 0) {
                return -1;
            }
            int want = (int) Math.min(length, contentLeft);
            int n = external == null ? in.read(buffer, offset, want) : external.read(buffer, offset, want);
            if (n <= 0) {
                throw new ArchiveFormatException(file.headerOffset(), "the payload stream ends within this record");
            }
            contentLeft -= n;
            return n;
        }
    }
}
