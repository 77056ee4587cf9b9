package dev.holdfast.datastore.key;

import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import dev.holdfast.posix.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Reads and writes key files on disk, readable by their owner alone. Safe for use by any thread. */
public final class KeyFiles {

    /** Permission bits of a key file. */
    public static final int MODE = 0600;

    private static final int MAX_BYTES = 64 * 1024;

    private final PosixFiles files;

    public KeyFiles(PosixFiles files) {
        this.files = files;
    }

    /** @throws FormatException if it is no regular file, or no key file */
    public KeyFile read(Path path) throws DatastoreException {
        String name = "key file " + path;
        try (ReadableFile file = files.openForReading(path)) {
            FileStat stat = new FileStat();
            file.stat(stat);
            if (stat.type() != FileType.REGULAR || stat.size() > MAX_BYTES) {
                throw new FormatException(name, name + " is no key file: it is no small regular file");
            }
            ByteBuffer content = ByteBuffer.allocate((int) stat.size());
            file.read(0, content);
            byte[] json = new byte[content.flip().remaining()];
            content.get(json);
            return KeyFile.parse(json, name);
        } catch (PosixException e) {
            throw new DatastoreException(name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes a file that must not exist: a key that is overwritten is lost. @throws AlreadyExistsException if it does */
    public void writeNew(Path path, KeyFile key) throws DatastoreException {
        WritableFile file;
        try {
            file = files.create(path, MODE);
        } catch (PosixException e) {
            if (e.errno() == Errno.EEXIST) {
                throw new AlreadyExistsException(
                        path.toString(), path + " exists already; choose another name, or move it away first", e);
            }
            throw new DatastoreException("key file " + path + " cannot be written: " + e.getMessage(), e);
        }
        try (file) {
            file.write(0, ByteBuffer.wrap(key.toJson()));
            file.fsync();
        } catch (PosixException e) {
            removeHalfWritten(path, e);
            throw new DatastoreException("key file " + path + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void removeHalfWritten(Path path, PosixException reason) {
        try {
            files.unlink(path);
        } catch (PosixException e) {
            reason.addSuppressed(e);
        }
    }

    /** Replaces a key file atomically, for a new passphrase. */
    public void replace(Path path, KeyFile key) throws DatastoreException {
        try {
            AtomicFile.replace(
                    files,
                    path,
                    ByteBuffer.wrap(key.toJson()),
                    new AtomicFile.Attributes(FileOwner.UNCHANGED, MODE),
                    AtomicFile.Durability.FSYNC);
        } catch (IOException e) {
            throw new DatastoreException("key file " + path + " cannot be replaced: " + e.getMessage(), e);
        }
    }
}
