package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;

/** A batch of one. */
record SingleDigest(ChunkDigest digest) implements TouchBatch {

    @Override
    public int size() {
        return 1;
    }

    @Override
    public int prefix(int position) {
        return digest.prefix();
    }

    @Override
    public void copyDigest(int position, byte[] target, int offset) {
        digest.copyTo(target, offset);
    }
}
