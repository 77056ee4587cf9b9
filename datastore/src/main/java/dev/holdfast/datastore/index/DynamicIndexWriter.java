package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * Writes a dynamic index under its temporary name ({@code .tmp_didx}); {@link #finish} gives it the final one. Closing
 * without finishing removes the temporary file. One thread at a time.
 */
public final class DynamicIndexWriter implements AutoCloseable {

    private final IndexOutput output;
    private final Path path;
    private final MessageDigest sha256 = IndexFormat.sha256();
    private final byte[] record = new byte[IndexFormat.DYNAMIC_RECORD_BYTES];
    private long count;
    private long size;

    private DynamicIndexWriter(IndexOutput output, Path path) {
        this.output = output;
        this.path = path;
    }

    /**
     * Begins an index; a temporary file of the same name, left by a crash, is replaced.
     *
     * @param path final name, ends in {@code .didx}
     */
    public static DynamicIndexWriter create(
            PosixFiles files, Path path, FixedIndexWriter.Header header, FileOwner owner) throws DatastoreException {
        IndexOutput output = new IndexOutput(files, path, ".tmp_didx", owner);
        output.header(IndexFormat.DYNAMIC_MAGIC, header);
        return new DynamicIndexWriter(output, path);
    }

    /** Appends a chunk of {@code length} bytes, at least 1. */
    public void add(ChunkDigest digest, long length) throws DatastoreException {
        if (length < 1 || length > Long.MAX_VALUE - size) {
            throw new IllegalArgumentException(
                    "a chunk has at least one byte and ends before 2^63: " + length + " bytes after " + size);
        }
        ByteBuffer target = output.record(position(count), record.length);
        long end = size + length;
        IndexFormat.putLong(record, 0, end);
        digest.copyTo(record, 8);
        target.put(record);
        sha256.update(record);
        size = end;
        count++;
    }

    private static long position(long record) {
        return IndexFormat.HEADER_BYTES + record * IndexFormat.DYNAMIC_RECORD_BYTES;
    }

    /** Logical size so far. */
    public long size() {
        return size;
    }

    /**
     * Writes the checksum, renames.
     *
     * @return the index checksum
     * @throws DatastoreException also if there are no records: the format has no empty archive
     */
    public ChunkDigest finish() throws DatastoreException {
        if (count == 0) {
            throw new DatastoreException("index " + path + " has no records; an archive has at least one chunk");
        }
        output.complete(position(count));
        ChunkDigest checksum = ChunkDigest.of(sha256.digest());
        output.publish(checksum);
        return checksum;
    }

    @Override
    public void close() {
        output.close();
    }
}
