package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file or block device that is backed up: its size is fixed when it is opened. One thread at a time. */
final class ImageSource implements AutoCloseable {

    /** The unit of {@code /sys/dev/block/.../size}, in bytes, whatever the device's own sectors are. */
    private static final int SECTOR_BYTES = 512;

    private final ReadableFile file;
    private final Path path;
    private final FileStat atStart;
    private final long size;

    private ImageSource(ReadableFile file, Path path, FileStat atStart, long size) {
        this.file = file;
        this.path = path;
        this.atStart = atStart;
        this.size = size;
    }

    /** @throws DatastoreException if it is neither a regular file nor a block device, or empty */
    static ImageSource open(PosixFiles files, Path path) throws DatastoreException, PosixException {
        ReadableFile file = files.openForReading(path);
        try {
            FileStat stat = new FileStat();
            file.stat(stat);
            long size = switch (stat.type()) {
                case REGULAR -> stat.size();
                case BLOCK_DEVICE -> deviceSize(path, stat.rdev());
                default -> throw new DatastoreException(path + " is neither a regular file nor a block device");
            };
            if (size == 0) {
                throw new DatastoreException(path + " is empty: an image has at least one byte");
            }
            return new ImageSource(file, path, stat, size);
        } catch (PosixException | DatastoreException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Bytes to read. */
    long size() {
        return size;
    }

    /** Reads exactly {@code length} bytes. */
    void read(long position, byte[] into, int length) throws DatastoreException {
        try {
            int count = file.read(position, ByteBuffer.wrap(into, 0, length));
            if (count < length) {
                throw new DatastoreException(path + " became shorter while it was being backed up: it had " + size
                        + " bytes and now ends at " + (position + count) + "; the backup was given up");
            }
        } catch (PosixException e) {
            throw new DatastoreException("cannot read " + path + " at " + position + ": " + e.getMessage(), e);
        }
    }

    /** Warns if the file has been written to meanwhile: the backup is then a mix of before and after. */
    void checkUnchanged(TaskContext task) throws DatastoreException {
        if (atStart.type() != FileType.REGULAR) {
            return;
        }
        FileStat now = new FileStat();
        try {
            file.stat(now);
        } catch (PosixException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
        if (now.size() < size) {
            throw new DatastoreException(path + " became shorter while it was being backed up: it had " + size
                    + " bytes and now has " + now.size() + "; the backup was given up");
        }
        if (now.size() > size) {
            task.warn(path + " grew while it was being backed up: the backup holds its first " + size + " bytes");
        } else if (now.modifySeconds() != atStart.modifySeconds() || now.modifyNanos() != atStart.modifyNanos()) {
            task.warn(path + " was written to while it was being backed up: the backup may mix old and new content");
        }
    }

    private static long deviceSize(Path path, long device) throws DatastoreException {
        long major = device >> 8 & 0xfff | device >> 32 & ~0xfffL;
        long minor = device & 0xff | device >> 12 & ~0xffL;
        Path sizeFile = Path.of("/sys/dev/block/" + major + ":" + minor + "/size");
        try {
            return Long.parseLong(Files.readString(sizeFile).strip()) * SECTOR_BYTES;
        } catch (IOException | NumberFormatException e) {
            throw new DatastoreException("the size of " + path + " cannot be read from " + sizeFile, e);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
