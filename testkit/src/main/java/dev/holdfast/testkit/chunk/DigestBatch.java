package dev.holdfast.testkit.chunk;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import java.util.List;

/** A batch of the digests of a list, in its order. */
public record DigestBatch(List<ChunkDigest> digests) implements TouchBatch {

    public static DigestBatch of(ChunkDigest... digests) {
        return new DigestBatch(List.of(digests));
    }

    @Override
    public int size() {
        return digests.size();
    }

    @Override
    public int prefix(int position) {
        return digests.get(position).prefix();
    }

    @Override
    public void copyDigest(int position, byte[] target, int offset) {
        digests.get(position).copyTo(target, offset);
    }
}
