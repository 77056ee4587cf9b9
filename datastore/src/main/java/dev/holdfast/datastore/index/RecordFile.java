package dev.holdfast.datastore.index;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The open file below both index readers: header, and records of one length behind it, read through a descriptor by large
 * blocks. Nothing is mapped: a page that cannot be read must be an errno, not a signal.
 *
 * <p>Single records come from a small page that is kept; streams use one large buffer that is handed from call to call.
 * Memory is bounded by these two, whatever the header says. Safe for use by several threads.
 */
final class RecordFile implements AutoCloseable {

    /** ENXIO: what opening a socket gives. */
    private static final int ENXIO = 6;

    private static final int STREAM_BYTES = 256 * 1024;
    private static final int PAGE_BYTES = 4096;

    private final Path path;
    private final ReadableFile file;
    private final int recordBytes;
    private final byte[] header;
    private final long length;
    private final AtomicReference<byte @Nullable []> streamBuffer = new AtomicReference<>();
    private volatile Page page = new Page(0, 0, new byte[0]);

    /** Some records as they were read, never changed afterwards. */
    private record Page(long first, int count, byte[] bytes) {}

    /** Where a record lies: shared bytes, not to be changed. */
    record Place(byte[] bytes, int offset) {}

    /** Called for runs of records, in file order. */
    @FunctionalInterface
    interface BlockConsumer {
        void accept(byte[] records, int count, long first) throws DatastoreException;
    }

    private RecordFile(Path path, ReadableFile file, int recordBytes, byte[] header, long length) {
        this.path = path;
        this.file = file;
        this.recordBytes = recordBytes;
        this.header = header;
        this.length = length;
    }

    /** Opens, and checks type, minimum length and magic. */
    static RecordFile open(PosixFiles files, Path path, long magic, int recordBytes) throws DatastoreException {
        ReadableFile file = openFile(files, path);
        try {
            return checked(path, file, magic, recordBytes);
        } catch (PosixException e) {
            file.close();
            throw unreadable(path, e);
        } catch (FormatException e) {
            file.close();
            throw e;
        }
    }

    private static ReadableFile openFile(PosixFiles files, Path path) throws DatastoreException {
        try {
            return files.openForReading(path);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                throw new SnapshotMissingException(path.toString(), "index " + path + " does not exist", e);
            }
            if (e.errno() == Errno.EISDIR || e.number() == ENXIO) {
                throw new FormatException(path.toString(), "index " + path + " is no regular file", e);
            }
            throw unreadable(path, e);
        }
    }

    private static RecordFile checked(Path path, ReadableFile file, long magic, int recordBytes)
            throws FormatException, PosixException {
        FileStat stat = new FileStat();
        file.stat(stat);
        String name = path.toString();
        if (stat.type() != FileType.REGULAR) {
            throw new FormatException(name, "index " + path + " is no regular file");
        }
        if (stat.size() < IndexFormat.HEADER_BYTES) {
            throw new FormatException(
                    name, "index " + path + " is too small (" + stat.size() + " bytes): its header has 4096");
        }
        byte[] header = new byte[IndexFormat.HEADER_BYTES];
        if (file.read(0, ByteBuffer.wrap(header)) != header.length) {
            throw new FormatException(name, "index " + path + " became shorter while it was read");
        }
        if (IndexFormat.getLong(header, IndexFormat.MAGIC_AT) != magic) {
            throw new FormatException(
                    name, "index " + path + " does not begin with the magic of the format that its name says");
        }
        return new RecordFile(path, file, recordBytes, header, stat.size());
    }

    private static DatastoreException unreadable(Path path, PosixException e) {
        return new DatastoreException("index " + path + " cannot be read: " + e.getMessage(), e);
    }

    Path path() {
        return path;
    }

    /** The first 4096 bytes; not to be changed. */
    byte[] header() {
        return header;
    }

    /** Length of the part behind the header, in bytes. */
    long recordsLength() {
        return length - IndexFormat.HEADER_BYTES;
    }

    /** The place of a record; whoever calls this has checked the number. */
    Place place(long record, long count) throws DatastoreException {
        if (record < 0 || record >= count) {
            throw new IndexOutOfBoundsException("index " + path + " has " + count + " records; there is no " + record);
        }
        Page current = page;
        if (record < current.first || record >= current.first + current.count) {
            int perPage = PAGE_BYTES / recordBytes;
            long first = record - record % perPage;
            int wanted = (int) Math.min(perPage, count - first);
            byte[] bytes = new byte[wanted * recordBytes];
            read(first, bytes, wanted);
            current = new Page(first, wanted, bytes);
            page = current;
        }
        return new Place(current.bytes, (int) (record - current.first) * recordBytes);
    }

    /** Hands all records to the consumer, block by block. */
    void forEachBlock(long count, BlockConsumer consumer) throws DatastoreException {
        int perBlock = STREAM_BYTES / recordBytes;
        int needed = (int) Math.min(perBlock, count) * recordBytes;
        byte[] kept = streamBuffer.getAndSet(null);
        byte[] buffer = kept != null ? kept : new byte[needed];
        try {
            for (long first = 0; first < count; first += perBlock) {
                int wanted = (int) Math.min(perBlock, count - first);
                read(first, buffer, wanted);
                consumer.accept(buffer, wanted, first);
            }
        } finally {
            streamBuffer.set(buffer);
        }
    }

    private void read(long first, byte[] into, int records) throws DatastoreException {
        int wanted = records * recordBytes;
        int got;
        try {
            got = file.read(IndexFormat.HEADER_BYTES + first * recordBytes, ByteBuffer.wrap(into, 0, wanted));
        } catch (PosixException e) {
            throw unreadable(path, e);
        }
        if (got != wanted) {
            throw new FormatException(path.toString(), "index " + path + " became shorter while it was read");
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
