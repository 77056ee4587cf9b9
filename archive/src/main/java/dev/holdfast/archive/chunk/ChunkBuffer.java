package dev.holdfast.archive.chunk;

import java.util.Arrays;

/** The bytes of one chunk as it grows, in an array that is kept from chunk to chunk. */
final class ChunkBuffer {

    private static final int FIRST = 1 << 18;

    private byte[] bytes = new byte[FIRST];

    byte[] bytes() {
        return bytes;
    }

    /** Makes room for this many bytes in all; grows by doubling, so that small streams stay small. */
    byte[] ensure(int needed) {
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8)));
        }
        return bytes;
    }
}
