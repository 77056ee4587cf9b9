package dev.holdfast.datastore.lock;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One lock file that is open in this process: its descriptor, and who in this process holds what.
 *
 * <p>The registry is static because the operating system keeps record locks per process and file: a second descriptor of
 * the file, opened by anybody in this process, would drop all locks when it is closed, and two books about who holds what
 * would contradict each other. Files are told apart by device and inode, since one file may have several paths. The file
 * is closed with its last user. Safe for use by any thread; the registry's lock is taken before an instance's.
 */
final class RecordLockFile {

    private record Key(long device, long inode) {

        static Key of(FileStat stat) {
            return new Key(stat.device(), stat.inode());
        }
    }

    private static final Map<Key, RecordLockFile> OPEN = new HashMap<>();

    private final Key key;
    private final LockHandle handle;

    /** Descriptors of the same file that a rename at the wrong moment gave us; closing one early would drop all locks. */
    private final List<LockHandle> spares = new ArrayList<>();

    /** Lock objects and guards that use this; guarded by {@link #OPEN}. */
    private int users;

    /** Start of each writer, in Unix seconds, in no order; guarded by this. */
    private final List<Long> writers = new ArrayList<>();

    /** Guarded by this. */
    private boolean exclusive;

    private RecordLockFile(Key key, LockHandle handle) {
        this.key = key;
        this.handle = handle;
    }

    /** Finds the file open, or opens it and creates it if it is missing, and counts one more user. */
    static RecordLockFile use(PosixFiles files, Path path, FileOwner owner) throws PosixException {
        synchronized (OPEN) {
            RecordLockFile known = find(files, path);
            if (known == null) {
                LockFiles.createIfMissing(files, path, ProcessLock.FILE_MODE, owner);
                LockHandle handle = files.openLock(path, ProcessLock.FILE_MODE);
                FileStat stat = new FileStat();
                try {
                    handle.stat(stat);
                } catch (PosixException e) {
                    handle.close();
                    throw e;
                }
                known = OPEN.get(Key.of(stat));
                if (known != null) {
                    known.spares.add(handle);
                } else {
                    known = new RecordLockFile(Key.of(stat), handle);
                    OPEN.put(known.key, known);
                }
            }
            known.users++;
            return known;
        }
    }

    private static @Nullable RecordLockFile find(PosixFiles files, Path path) throws PosixException {
        FileStat stat = new FileStat();
        return files.stat(path, true, stat) ? OPEN.get(Key.of(stat)) : null;
    }

    /** One more user of what is open already. */
    private void useAgain() {
        synchronized (OPEN) {
            users++;
        }
    }

    /** Ends one use; the last one closes the descriptor. */
    void leave() {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(key);
                handle.close();
                spares.forEach(LockHandle::close);
            }
        }
    }

    /** Whether this path still names the file that is open here. */
    boolean isAt(PosixFiles files, Path path) throws PosixException {
        FileStat stat = new FileStat();
        return files.stat(path, true, stat) && Key.of(stat).equals(key);
    }

    synchronized boolean isIdle() {
        return writers.isEmpty() && !exclusive;
    }

    /** @param now the start of the writer, in Unix seconds */
    synchronized void acquireShared(long now) throws DatastoreException, PosixException {
        if (writers.isEmpty() && !exclusive && !handle.tryRecordLock(false)) {
            throw held(false, "holds it exclusively, for garbage collection; try again when that has ended");
        }
        writers.add(now);
        useAgain();
    }

    /** @param start what was given to {@link #acquireShared} */
    void releaseShared(long start) {
        synchronized (this) {
            writers.remove(Long.valueOf(start));
            if (writers.isEmpty() && !exclusive) {
                unlock();
            }
        }
        leave();
    }

    synchronized void acquireExclusive() throws DatastoreException, PosixException {
        if (exclusive) {
            throw new LockTimeoutException(
                    handle.path(),
                    handle.path() + " is held exclusively by this process already: garbage collection runs");
        }
        if (!handle.tryRecordLock(true)) {
            throw held(true, "holds it, as a writer or for garbage collection; try again when that has ended");
        }
        exclusive = true;
        useAgain();
    }

    void releaseExclusive() {
        synchronized (this) {
            exclusive = false;
            if (writers.isEmpty()) {
                unlock();
            } else {
                downgrade();
            }
        }
        leave();
    }

    synchronized OptionalLong oldestWriter() {
        return writers.stream().mapToLong(Long::longValue).min();
    }

    private void unlock() {
        try {
            handle.unlockRecord();
        } catch (PosixException e) {
            // The lock stays until the descriptor is closed: others wait longer than they need, nothing is lost.
        }
    }

    private void downgrade() {
        try {
            var unused = handle.tryRecordLock(false);
        } catch (PosixException e) {
            // The stronger lock stays until the last writer ends: others wait longer than they need, nothing is lost.
        }
    }

    private LockTimeoutException held(boolean wantExclusive, String how) throws PosixException {
        return new LockTimeoutException(
                handle.path(),
                handle.path() + " is locked: " + LockHolder.describe(handle.recordLockHolder(wantExclusive)) + " "
                        + how);
    }
}
