package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;

/**
 * Writes a fixed index under its temporary name ({@code .tmp_fidx}); {@link #finish} gives it the final one. Closing
 * without finishing removes the temporary file. One thread at a time.
 */
public final class FixedIndexWriter implements AutoCloseable {

    private FixedIndexWriter() {}

    /** What identifies the file in its header. */
    public record Header(byte[] uuid, long createdSeconds) {}

    /**
     * @param size logical size in bytes, at least 1
     * @param chunkSize power of two
     */
    public static FixedIndexWriter create(
            PosixFiles files, Path path, long size, long chunkSize, Header header, FileOwner owner)
            throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Sets one record, in any order. */
    public void set(long record, ChunkDigest digest) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Writes checksum and size, renames.
     *
     * @return the index checksum
     * @throws DatastoreException also if a record was never set
     */
    public ChunkDigest finish() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("skeleton");
    }
}
