package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;

/** A run of a list as a batch; moved on from batch to batch. */
final class ListSlice implements TouchBatch {

    private final byte[] bytes;
    private int from;
    private int size;

    ListSlice(DigestList list) {
        this.bytes = list.bytes();
    }

    void set(int from, int size) {
        this.from = from;
        this.size = size;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int prefix(int position) {
        int at = DigestList.offset(from + position);
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    @Override
    public void copyDigest(int position, byte[] target, int offset) {
        System.arraycopy(bytes, DigestList.offset(from + position), target, offset, ChunkDigest.BYTES);
    }
}
