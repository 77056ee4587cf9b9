package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;

/**
 * Writes a dynamic index under its temporary name ({@code .tmp_didx}); {@link #finish} gives it the final one. Closing
 * without finishing removes the temporary file. One thread at a time.
 */
public final class DynamicIndexWriter implements AutoCloseable {

    private DynamicIndexWriter() {}

    public static DynamicIndexWriter create(
            PosixFiles files, Path path, FixedIndexWriter.Header header, FileOwner owner) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Appends a chunk of {@code length} bytes, at least 1. */
    public void add(ChunkDigest digest, long length) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Logical size so far. */
    public long size() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Writes the checksum, renames. @return the index checksum */
    public ChunkDigest finish() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("skeleton");
    }
}
