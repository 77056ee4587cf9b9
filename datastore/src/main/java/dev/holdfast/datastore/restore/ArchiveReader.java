package dev.holdfast.datastore.restore;

import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Random access to the bytes of an archive. Every chunk's digest and length are checked before a byte of it leaves. One
 * thread at a time.
 */
public final class ArchiveReader {

    public ArchiveReader(ChunkStore chunks, IndexReader index, @Nullable CryptConfig crypt) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Logical size in bytes. */
    public long size() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The checked plain bytes of the chunk of one record. */
    public byte[] chunk(long record) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Reads at a position.
     *
     * @return number of bytes read, less than {@code length} only at the end; 0 past it
     */
    public int read(long position, byte[] target, int offset, int length) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }
}
