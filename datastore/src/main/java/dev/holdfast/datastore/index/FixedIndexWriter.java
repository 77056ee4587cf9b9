package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * Writes a fixed index under its temporary name ({@code .tmp_fidx}); {@link #finish} gives it the final one. Closing
 * without finishing removes the temporary file. One thread at a time.
 *
 * <p>Memory does not grow with the image: a record that was never set is found as zeros when the records are read back for
 * the checksum.
 */
public final class FixedIndexWriter implements AutoCloseable {

    private static final ChunkDigest UNSET = ChunkDigest.of(new byte[ChunkDigest.BYTES]);

    private final PosixFiles files;
    private final IndexOutput output;
    private final Path path;
    private final long count;
    private final byte[] digestBytes = new byte[ChunkDigest.BYTES];

    private FixedIndexWriter(PosixFiles files, IndexOutput output, Path path, long count) {
        this.files = files;
        this.output = output;
        this.path = path;
        this.count = count;
    }

    /**
     * What identifies the file in its header.
     *
     * @param uuid 16 random bytes
     * @param createdSeconds Unix seconds
     */
    public record Header(byte[] uuid, long createdSeconds) {
        public Header {
            if (uuid.length != IndexFormat.UUID_BYTES) {
                throw new IllegalArgumentException("the uuid of an index has 16 bytes, not " + uuid.length);
            }
        }
    }

    /**
     * Begins an index; a temporary file of the same name, left by a crash, is replaced.
     *
     * @param path final name, ends in {@code .fidx}
     * @param size logical size in bytes, at least 1
     * @param chunkSize power of two
     */
    public static FixedIndexWriter create(
            PosixFiles files, Path path, long size, long chunkSize, Header header, FileOwner owner)
            throws DatastoreException {
        if (size < 1) {
            throw new IllegalArgumentException("an image has at least one byte, not " + size);
        }
        if (chunkSize < 1 || Long.bitCount(chunkSize) != 1) {
            throw new IllegalArgumentException("a chunk size is a power of two, not " + chunkSize);
        }
        long count = FixedIndexReader.chunks(size, chunkSize);
        if (count > (Long.MAX_VALUE - IndexFormat.HEADER_BYTES) / IndexFormat.FIXED_RECORD_BYTES) {
            throw new IllegalArgumentException("an image of " + size + " bytes in chunks of " + chunkSize
                    + " has an index" + " that no file can hold");
        }
        IndexOutput output = new IndexOutput(files, path, ".tmp_fidx", owner);
        output.header(IndexFormat.FIXED_MAGIC, header);
        output.headerLong(IndexFormat.SIZE_AT, size);
        output.headerLong(IndexFormat.CHUNK_SIZE_AT, chunkSize);
        return new FixedIndexWriter(files, output, path, count);
    }

    /** Sets one record, in any order. */
    public void set(long record, ChunkDigest digest) throws DatastoreException {
        if (record < 0 || record >= count) {
            throw new IndexOutOfBoundsException("index " + path + " has " + count + " records; there is no " + record);
        }
        if (digest.equals(UNSET)) {
            throw new IllegalArgumentException("64 zeros are no digest of any chunk");
        }
        digest.copyTo(digestBytes, 0);
        output.record(position(record), digestBytes.length).put(digestBytes);
    }

    private static long position(long record) {
        return IndexFormat.HEADER_BYTES + record * IndexFormat.FIXED_RECORD_BYTES;
    }

    /**
     * Writes checksum and size, renames.
     *
     * @return the index checksum
     * @throws DatastoreException also if a record was never set
     */
    public ChunkDigest finish() throws DatastoreException {
        output.complete(position(count));
        MessageDigest sha256 = IndexFormat.sha256();
        int recordBytes = IndexFormat.FIXED_RECORD_BYTES;
        // The header is still zero, so that nobody takes an unfinished file for an index.
        try (RecordFile records = RecordFile.open(files, output.temporary(), 0, recordBytes)) {
            records.forEachBlock(count, (bytes, n, first) -> {
                for (int i = 0; i < n; i++) {
                    if (isUnset(bytes, i * recordBytes)) {
                        throw new DatastoreException("index " + path + " is incomplete: record " + (first + i) + " of "
                                + count + " was never set");
                    }
                }
                sha256.update(bytes, 0, n * recordBytes);
            });
        }
        ChunkDigest checksum = ChunkDigest.of(sha256.digest());
        output.publish(checksum);
        return checksum;
    }

    private static boolean isUnset(byte[] records, int offset) {
        return (IndexFormat.getLong(records, offset)
                        | IndexFormat.getLong(records, offset + 8)
                        | IndexFormat.getLong(records, offset + 16)
                        | IndexFormat.getLong(records, offset + 24))
                == 0;
    }

    @Override
    public void close() {
        output.close();
    }
}
