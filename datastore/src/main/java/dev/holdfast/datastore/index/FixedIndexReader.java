package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * An open fixed index: record {@code i} is the digest of bytes {@code i * chunkSize} up to the next chunk or the end.
 * Hot: {@link #forEach} makes no object per record.
 */
final class FixedIndexReader implements IndexReader {

    private static final int RECORD = IndexFormat.FIXED_RECORD_BYTES;

    private final RecordFile records;
    private final long size;
    private final long chunkSize;
    private final long count;

    private FixedIndexReader(RecordFile records, long size, long chunkSize, long count) {
        this.records = records;
        this.size = size;
        this.chunkSize = chunkSize;
        this.count = count;
    }

    static FixedIndexReader open(PosixFiles files, Path path) throws DatastoreException {
        RecordFile records = RecordFile.open(files, path, IndexFormat.FIXED_MAGIC, RECORD);
        try {
            return checked(records);
        } catch (FormatException e) {
            records.close();
            throw e;
        }
    }

    private static FixedIndexReader checked(RecordFile records) throws FormatException {
        long size = IndexFormat.getLong(records.header(), IndexFormat.SIZE_AT);
        long chunkSize = IndexFormat.getLong(records.header(), IndexFormat.CHUNK_SIZE_AT);
        String path = records.path().toString();
        if (chunkSize <= 0 || Long.bitCount(chunkSize) != 1) {
            throw new FormatException(
                    path,
                    "index " + path + " says a chunk has " + Long.toUnsignedString(chunkSize)
                            + " bytes; only powers of two below 2^63 are valid");
        }
        if (size <= 0) {
            throw new FormatException(
                    path,
                    "index " + path + " says the image has " + Long.toUnsignedString(size)
                            + " bytes; valid are 1 to 2^63 - 1");
        }
        long count = chunks(size, chunkSize);
        long length = records.recordsLength();
        if (length % RECORD != 0 || length / RECORD != count) {
            throw new FormatException(
                    path,
                    "index " + path + " should hold " + count + " digests for " + size + " bytes in chunks of "
                            + chunkSize + ", but has " + length + " bytes of them");
        }
        return new FixedIndexReader(records, size, chunkSize, count);
    }

    /** Number of chunks of an image, without overflow. */
    static long chunks(long size, long chunkSize) {
        return size / chunkSize + (size % chunkSize == 0 ? 0 : 1);
    }

    @Override
    public Path path() {
        return records.path();
    }

    @Override
    public ArchiveName.Kind kind() {
        return ArchiveName.Kind.FIXED_INDEX;
    }

    @Override
    public byte[] header() {
        return records.header();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long chunkSize() {
        return chunkSize;
    }

    @Override
    public ChunkDigest computeChecksum() throws DatastoreException {
        MessageDigest sha256 = IndexFormat.sha256();
        records.forEachBlock(count, (bytes, n, first) -> sha256.update(bytes, 0, n * RECORD));
        return ChunkDigest.of(sha256.digest());
    }

    /** A fixed index is always in order. */
    @Override
    public void checkOrder() {}

    @Override
    public ChunkDigest digest(long record) throws DatastoreException {
        RecordFile.Place place = records.place(record, count);
        return ChunkDigest.of(place.bytes(), place.offset());
    }

    @Override
    public long end(long record) {
        if (record < 0 || record >= count) {
            throw new IndexOutOfBoundsException(
                    "index " + path() + " has " + count + " records; there is no " + record);
        }
        return endOf(record * chunkSize);
    }

    private long endOf(long start) {
        return size - start > chunkSize ? start + chunkSize : size;
    }

    @Override
    public long recordAt(long offset) {
        if (offset < 0) {
            throw new IndexOutOfBoundsException("an offset is not negative: " + offset);
        }
        return offset >= size ? -1 : offset / chunkSize;
    }

    @Override
    public void forEach(RecordConsumer consumer) throws DatastoreException {
        records.forEachBlock(count, (bytes, n, first) -> {
            long start = first * chunkSize;
            for (int i = 0; i < n; i++) {
                long end = endOf(start);
                consumer.accept(bytes, i * RECORD, start, end);
                start = end;
            }
        });
    }

    @Override
    public void close() {
        records.close();
    }
}
