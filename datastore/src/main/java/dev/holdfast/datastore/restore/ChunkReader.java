package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.index.IndexReader;

/** From a digest to checked plain bytes. One thread at a time, because of the decoder. */
final class ChunkReader {

    private final ChunkStore chunks;
    private final BlobDecoder decoder;

    ChunkReader(ChunkStore chunks, BlobDecoder decoder) {
        this.chunks = chunks;
        this.decoder = decoder;
    }

    /** @param length plain length that the index tells; another one is damage */
    byte[] read(ChunkDigest digest, int length) throws DatastoreException {
        return decoder.decodeChunk(chunks.load(digest), digest, length);
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
