package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.layout.ChunkName;

/** {@code abcd/abcd…}: the name of a chunk below {@code .chunks}, written into one array again and again. */
final class RelativeName {

    private static final int PREFIX_DIGITS = 4;

    /** Length of the name. */
    static final int BYTES = PREFIX_DIGITS + 1 + ChunkDigest.HEX_DIGITS;

    private RelativeName() {}

    /** An array with the slash in its place. */
    static byte[] create() {
        byte[] name = new byte[BYTES];
        name[PREFIX_DIGITS] = '/';
        return name;
    }

    /** Writes all but the slash. */
    static void write(byte[] digest, byte[] target, int offset) {
        ChunkName.writeHex(digest, 0, target, offset + PREFIX_DIGITS + 1);
        System.arraycopy(target, offset + PREFIX_DIGITS + 1, target, offset, PREFIX_DIGITS);
    }
}
