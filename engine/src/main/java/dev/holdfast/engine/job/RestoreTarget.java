package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.WritableFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that a restore makes: written beside its final name and given it at the end, so that a failed restore leaves
 * nothing under it. Chunks of zeros become holes. One thread at a time.
 */
final class RestoreTarget implements AutoCloseable {

    /** What happens to a file that has the name already. */
    enum Existing {
        REFUSE,
        REPLACE
    }

    /** Only the owner may read what comes out of a backup, unless a replaced file was more open. */
    private static final int MODE = 0600;

    private final PosixFiles files;
    private final Path path;
    private final Path temporary;
    private final Existing existing;
    private final WritableFile out;
    private boolean finished;

    private RestoreTarget(PosixFiles files, Path path, Path temporary, Existing existing, WritableFile out) {
        this.files = files;
        this.path = path;
        this.temporary = temporary;
        this.existing = existing;
        this.out = out;
    }

    /** @throws AlreadyExistsException if it exists and may not be replaced */
    static RestoreTarget create(PosixFiles files, Path path, Existing existing)
            throws DatastoreException, PosixException {
        Path absolute = path.toAbsolutePath();
        FileStat stat = new FileStat();
        int mode = MODE;
        if (files.stat(absolute, false, stat)) {
            if (existing == Existing.REFUSE) {
                throw exists(absolute);
            }
            if (stat.type() != FileType.REGULAR) {
                throw new DatastoreException(absolute + " is not a regular file and is not replaced; restore to '-' and"
                        + " redirect standard output to write into a device");
            }
            mode = stat.permissions();
        }
        Path temporary = absolute.resolveSibling("." + absolute.getFileName() + ".restore-"
                + ProcessHandle.current().pid() + "-" + Integer.toHexString(System.identityHashCode(stat)));
        return new RestoreTarget(files, absolute, temporary, existing, files.create(temporary, mode));
    }

    void write(long position, byte[] data, int length) throws DatastoreException {
        if (isZero(data, length)) {
            return;
        }
        try {
            out.write(position, ByteBuffer.wrap(data, 0, length));
        } catch (PosixException e) {
            throw new DatastoreException("cannot write " + temporary + ": " + e.getMessage(), e);
        }
    }

    /** Sets the length, writes to disk, gives the file its name. */
    void finish(long size) throws DatastoreException, PosixException {
        out.truncate(size);
        out.fsync();
        out.close();
        if (existing == Existing.REPLACE) {
            files.rename(temporary, path);
        } else {
            nameOnce();
        }
        finished = true;
    }

    /** A link, unlike a rename, never replaces a file that somebody else made meanwhile. */
    private void nameOnce() throws DatastoreException, PosixException {
        boolean named;
        try {
            named = files.link(temporary, path);
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM && e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            if (files.stat(path, false, new FileStat())) {
                throw exists(path);
            }
            files.rename(temporary, path);
            return;
        }
        if (!named) {
            throw exists(path);
        }
        files.unlink(temporary);
    }

    private static AlreadyExistsException exists(Path path) {
        return new AlreadyExistsException(path.toString(), path + " exists; give --overwrite to replace it");
    }

    private static boolean isZero(byte[] data, int length) {
        for (int i = 0; i < length; i++) {
            if (data[i] != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        if (finished) {
            return;
        }
        try {
            out.close();
        } catch (PosixException e) {
            // The file is thrown away.
            finished = false;
        }
        try {
            files.unlink(temporary);
        } catch (PosixException e) {
            finished = false;
        }
    }
}
