package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.index.IndexReader;

/** From a digest to checked plain bytes. One thread at a time, because of the decoder. */
final class ChunkReader {

    private final ChunkStore chunks;
    private final ContentKey key;
    private final BlobDecoder decoder;

    ChunkReader(ChunkStore chunks, ContentKey key) {
        this.chunks = chunks;
        this.key = key;
        this.decoder = new BlobDecoder(key.key());
    }

    /**
     * @param length plain length that the index tells; another one is damage
     * @throws ChunkCorruptException also if it is encrypted and the manifest says otherwise, or the reverse: a plain chunk
     *     in an encrypted archive is one that somebody without the key has put there
     */
    byte[] read(ChunkDigest digest, int length) throws DatastoreException {
        DataBlob blob = chunks.load(digest);
        if (blob.isEncrypted() != key.isEncrypted()) {
            throw new ChunkCorruptException(
                    digest,
                    "chunk " + digest + " is " + (blob.isEncrypted() ? "" : "not ")
                            + "encrypted, but the manifest says " + key.mode());
        }
        return decoder.decodeChunk(blob, digest, length);
    }

    /**
     * The plain length of a record's chunk.
     *
     * @throws FormatException if the index gives it a length that no chunk has
     */
    static int length(IndexReader index, long record) throws DatastoreException {
        long length = index.end(record) - (record == 0 ? 0 : index.end(record - 1));
        if (length <= 0 || length > DataBlob.MAX_DATA_BYTES) {
            throw new FormatException(
                    index.path().toString(),
                    index.path() + " gives record " + record + " a length of " + length + " bytes: it is damaged");
        }
        return (int) length;
    }
}
