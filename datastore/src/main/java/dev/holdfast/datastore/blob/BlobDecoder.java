package dev.holdfast.datastore.blob;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import org.jspecify.annotations.Nullable;

/** Turns a {@link DataBlob} back into plain bytes. One thread at a time; keep one per worker. */
public final class BlobDecoder {

    public BlobDecoder(@Nullable CryptConfig crypt) {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Decodes a blob file.
     *
     * @param limit largest number of plain bytes to accept; memory use is bounded by it
     * @throws dev.holdfast.datastore.error.FormatException if the content does not decode or exceeds the limit
     * @throws dev.holdfast.datastore.error.WrongKeyException if it is encrypted and there is no key, or the tag differs
     */
    public byte[] decode(DataBlob blob, String name, int limit) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Decodes a chunk and checks the digest (keyed if it is encrypted) and the length.
     *
     * @param expectedLength plain length, or -1 if unknown
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if anything is wrong with it
     * @throws dev.holdfast.datastore.error.WrongKeyException if it is encrypted and there is no key
     */
    public byte[] decodeChunk(DataBlob blob, ChunkDigest digest, int expectedLength) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }
}
