package dev.holdfast.datastore.chunk;

/**
 * Distinct digests whose chunks are to be touched, in no particular order, numbered from 0. They lie in flat arrays of
 * whoever made the batch; nothing here makes an object per digest. Does not change while a store works on it, and may be
 * read by several threads at a time meanwhile.
 */
public interface TouchBatch {

    int size();

    /** The first 16 bits of a digest: the number of its prefix directory. */
    int prefix(int position);

    /** Writes the 32 bytes of a digest to {@code target} from {@code offset} on. */
    void copyDigest(int position, byte[] target, int offset);
}
