package dev.holdfast.archive;

/** A byte array as a source. The array is not copied; do not modify it while the source is in use. */
public final class ArrayByteSource implements ByteSource {

    private final byte[] bytes;

    public ArrayByteSource(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) {
        if (position < 0 || position >= bytes.length) {
            return -1;
        }
        int n = (int) Math.min(length, bytes.length - position);
        System.arraycopy(bytes, (int) position, buffer, offset, n);
        return n;
    }
}
