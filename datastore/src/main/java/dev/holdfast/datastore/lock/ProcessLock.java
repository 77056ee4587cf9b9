package dev.holdfast.datastore.lock;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The lock file of a store, by POSIX record locks: shared for writers, exclusive for garbage collection.
 *
 * <p>Inside one process shared and exclusive coexist; between processes they exclude each other. All instances of one
 * file in this process share one descriptor and one book of holders, so each opener may have its own instance and close it
 * when done; guards stay valid beyond that. Safe for use by any thread. Nothing here waits. Nothing else in this process
 * may open the lock file: closing that descriptor would drop all locks.
 */
public final class ProcessLock implements AutoCloseable {

    /** Permission bits of the lock file. */
    static final int FILE_MODE = 0644;

    private final PosixFiles files;
    private final Path lockFile;
    private final Clock clock;

    /** Null while the file could not be opened; guarded by this. */
    private @Nullable RecordLockFile file;

    private boolean closed;

    private ProcessLock(PosixFiles files, Path lockFile, Clock clock) {
        this.files = files;
        this.lockFile = lockFile;
        this.clock = clock;
    }

    /**
     * Opens the lock file, and creates it if it is missing.
     *
     * <p>A file that cannot be opened or created, as on a read-only mount, is no error yet, because readers do not need
     * it: the acquiring methods try again, and fail then.
     */
    public static ProcessLock open(PosixFiles files, Path lockFile, Clock clock) throws DatastoreException {
        ProcessLock lock = new ProcessLock(files, lockFile, clock);
        try {
            lock.file = lock.openFile();
        } catch (PosixException e) {
            lock.file = null;
        }
        return lock;
    }

    /**
     * Becomes a writer, and remembers when.
     *
     * @throws dev.holdfast.datastore.error.LockTimeoutException if another process holds the lock exclusively
     * @throws DatastoreException if the lock file cannot be opened or locked, for example on a read-only mount
     */
    public Guard acquireShared() throws DatastoreException {
        try {
            RecordLockFile locked = current();
            long now = clock.instant().getEpochSecond();
            locked.acquireShared(now);
            return new Held(() -> locked.releaseShared(now));
        } catch (PosixException e) {
            throw unusable(e);
        }
    }

    /**
     * Excludes the writers of other processes.
     *
     * @throws dev.holdfast.datastore.error.LockTimeoutException if this process holds it exclusively already, or another
     *     process holds it in any way
     * @throws DatastoreException if the lock file cannot be opened or locked, for example on a read-only mount
     */
    public Guard acquireExclusive() throws DatastoreException {
        try {
            RecordLockFile locked = current();
            locked.acquireExclusive();
            return new Held(locked::releaseExclusive);
        } catch (PosixException e) {
            throw unusable(e);
        }
    }

    /** When the oldest writer of this process started, in Unix seconds; empty if there is none. */
    public synchronized OptionalLong oldestWriter() {
        return file == null ? OptionalLong.empty() : file.oldestWriter();
    }

    /** Ends this instance; guards that were given out stay valid. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        if (file != null) {
            file.leave();
            file = null;
        }
    }

    /** The file that the path names now: a lock on a file that was removed or replaced would exclude nobody. */
    private synchronized RecordLockFile current() throws DatastoreException, PosixException {
        if (closed) {
            throw new DatastoreException(lockFile + ": the store has been closed");
        }
        if (file != null && !file.isAt(files, lockFile)) {
            if (!file.isIdle()) {
                throw new DatastoreException(lockFile + " was removed or replaced while this process held it; end all"
                        + " backups and garbage collections of this store, in all processes, then try again");
            }
            file.leave();
            file = null;
        }
        if (file == null) {
            file = openFile();
        }
        return file;
    }

    private RecordLockFile openFile() throws PosixException {
        return RecordLockFile.use(files, lockFile, owner());
    }

    /** Root gives the file to whom the store belongs. */
    private FileOwner owner() throws PosixException {
        Path store = lockFile.getParent();
        FileStat stat = new FileStat();
        if (files.effectiveUid() != 0 || store == null || !files.stat(store, true, stat)) {
            return FileOwner.UNCHANGED;
        }
        return new FileOwner(stat.uid(), stat.gid());
    }

    private DatastoreException unusable(PosixException e) {
        return new DatastoreException(
                lockFile + " cannot be locked: " + e.errno().text() + "; backup, garbage collection and everything else"
                        + " that changes chunks need to open it for writing",
                e);
    }

    private static final class Held implements Guard {

        private final AtomicBoolean released = new AtomicBoolean();
        private final Runnable release;

        Held(Runnable release) {
            this.release = release;
        }

        @Override
        public void close() {
            if (released.compareAndSet(false, true)) {
                release.run();
            }
        }
    }

    /** Releases what was acquired; idempotent. */
    public interface Guard extends AutoCloseable {
        @Override
        void close();
    }
}
