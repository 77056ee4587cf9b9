package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * An open dynamic index: each record is the exclusive end of a chunk and its digest. Hot: {@link #forEach} makes no object
 * per record.
 *
 * <p>Opening does not read the ends; {@link #checkOrder} does. Until then they are untrusted: searches end, but may find a
 * wrong record.
 */
final class DynamicIndexReader implements IndexReader {

    private static final int RECORD = IndexFormat.DYNAMIC_RECORD_BYTES;
    private static final int DIGEST_AT = 8;

    private final RecordFile records;
    private final long count;

    private DynamicIndexReader(RecordFile records, long count) {
        this.records = records;
        this.count = count;
    }

    static DynamicIndexReader open(PosixFiles files, Path path) throws DatastoreException {
        RecordFile records = RecordFile.open(files, path, IndexFormat.DYNAMIC_MAGIC, RECORD);
        try {
            return checked(records);
        } catch (FormatException e) {
            records.close();
            throw e;
        }
    }

    private static DynamicIndexReader checked(RecordFile records) throws FormatException {
        long length = records.recordsLength();
        String path = records.path().toString();
        if (length == 0) {
            throw new FormatException(path, "index " + path + " has no records; an archive has at least one chunk");
        }
        if (length % RECORD != 0) {
            throw new FormatException(
                    path,
                    "index " + path + " was cut or has grown: " + length + " bytes of records are no multiple of "
                            + RECORD);
        }
        return new DynamicIndexReader(records, length / RECORD);
    }

    @Override
    public Path path() {
        return records.path();
    }

    @Override
    public ArchiveName.Kind kind() {
        return ArchiveName.Kind.DYNAMIC_INDEX;
    }

    @Override
    public byte[] header() {
        return records.header();
    }

    @Override
    public long count() {
        return count;
    }

    /** @throws FormatException if the last end is no valid size */
    @Override
    public long size() throws DatastoreException {
        long end = end(count - 1);
        if (end <= 0) {
            throw new FormatException(
                    path().toString(),
                    "index " + path() + " says the archive has " + Long.toUnsignedString(end)
                            + " bytes; valid are 1 to 2^63 - 1");
        }
        return end;
    }

    @Override
    public long chunkSize() {
        return 0;
    }

    @Override
    public ChunkDigest computeChecksum() throws DatastoreException {
        MessageDigest sha256 = IndexFormat.sha256();
        records.forEachBlock(count, (bytes, n, first) -> sha256.update(bytes, 0, n * RECORD));
        return ChunkDigest.of(sha256.digest());
    }

    @Override
    public void checkOrder() throws DatastoreException {
        long[] previous = {0};
        records.forEachBlock(count, (bytes, n, first) -> {
            for (int i = 0; i < n; i++) {
                long end = IndexFormat.getLong(bytes, i * RECORD);
                if (end <= previous[0]) {
                    throw new FormatException(
                            path().toString(),
                            "index " + path() + " is damaged: record " + (first + i) + " ends at "
                                    + Long.toUnsignedString(end) + ", not after " + previous[0]);
                }
                previous[0] = end;
            }
        });
    }

    @Override
    public ChunkDigest digest(long record) throws DatastoreException {
        RecordFile.Place place = records.place(record, count);
        return ChunkDigest.of(place.bytes(), place.offset() + DIGEST_AT);
    }

    @Override
    public long end(long record) throws DatastoreException {
        RecordFile.Place place = records.place(record, count);
        return IndexFormat.getLong(place.bytes(), place.offset());
    }

    @Override
    public long recordAt(long offset) throws DatastoreException {
        if (offset < 0) {
            throw new IndexOutOfBoundsException("an offset is not negative: " + offset);
        }
        if (offset >= size()) {
            return -1;
        }
        long low = 0;
        long high = count - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (offset < end(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public void forEach(RecordConsumer consumer) throws DatastoreException {
        long[] start = {0};
        records.forEachBlock(count, (bytes, n, first) -> {
            long from = start[0];
            for (int i = 0; i < n; i++) {
                int at = i * RECORD;
                long end = IndexFormat.getLong(bytes, at);
                consumer.accept(bytes, at + DIGEST_AT, from, end);
                from = end;
            }
            start[0] = from;
        });
    }

    @Override
    public void close() {
        records.close();
    }
}
