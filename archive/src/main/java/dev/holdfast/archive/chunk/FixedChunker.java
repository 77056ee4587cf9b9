package dev.holdfast.archive.chunk;

/** Cuts every so many bytes; only the last chunk of a stream may be shorter. */
public final class FixedChunker implements Chunker {

    /** The chunk size of every image index that PBS writes: 4 MiB. */
    public static final int DEFAULT_SIZE = 4 << 20;

    private final int size;
    private int taken;

    /** @param size chunk size in bytes, a power of two as the fixed index demands, 64 KiB to 16 MiB */
    public FixedChunker(int size) {
        if (Integer.bitCount(size) != 1 || size < 1 << 16 || size > 1 << 24) {
            throw new IllegalArgumentException("chunk size must be a power of two, 65536 to 16777216 bytes: " + size);
        }
        this.size = size;
    }

    @Override
    public int scan(byte[] buffer, int offset, int length) {
        int missing = size - taken;
        if (length < missing) {
            taken += length;
            return 0;
        }
        taken = 0;
        return missing;
    }

    @Override
    public int maximumSize() {
        return size;
    }

    @Override
    public void reset() {
        taken = 0;
    }
}
