package dev.holdfast.datastore.lock;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Group, snapshot, manifest and move-journal locks of one store, by flock at the paths that Proxmox Backup Server uses, so
 * that both exclude each other on one store.
 *
 * <p>Each lock is an open file of its own, so two holders exclude each other inside one process as well; a lock is not
 * reentrant. Safe for use by any thread; a guard may be closed by another thread than the one that took it.
 */
public final class DirectoryLocks {

    /** Where Proxmox Backup Server keeps its lock files. */
    public static final Path DEFAULT_DIRECTORY = Path.of("/run/proxmox-backup/locks");

    /** How long a manifest update waits for its lock, in milliseconds. */
    public static final long MANIFEST_WAIT_MILLIS = 5_000;

    /** How long the move journal is waited for, in milliseconds. */
    public static final long JOURNAL_WAIT_MILLIS = 10_000;

    private static final int FILE_MODE = 0660;
    private static final int DIRECTORY_MODE = 0755;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final PosixFiles files;
    private final Path directory;
    private final Path storeDirectory;
    private final FileOwner owner;

    /**
     * @param directory the directory of all stores' locks, see {@link #DEFAULT_DIRECTORY}
     * @param store the store's name
     * @param owner who gets new lock files and directories
     */
    public DirectoryLocks(PosixFiles files, Path directory, String store, FileOwner owner) {
        this.files = files;
        this.directory = directory;
        this.storeDirectory = directory.resolve(store);
        this.owner = owner;
    }

    /** @throws dev.holdfast.datastore.error.LockTimeoutException if it is held */
    public Guard lockGroup(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        return lock(path(namespace, group.toString()), "group " + name(namespace, group), LockMode.EXCLUSIVE, 0);
    }

    /** @throws dev.holdfast.datastore.error.LockTimeoutException if it is held in a way that conflicts */
    public Guard lockSnapshot(BackupNamespace namespace, SnapshotId snapshot, LockMode mode) throws DatastoreException {
        return lock(path(namespace, snapshot.toString()), "snapshot " + name(namespace, snapshot), mode, 0);
    }

    /** Waits up to {@link #MANIFEST_WAIT_MILLIS}. */
    public Guard lockManifest(BackupNamespace namespace, SnapshotId snapshot) throws DatastoreException {
        return lock(
                path(namespace, snapshot + "/.index.json.lck"),
                "manifest of snapshot " + name(namespace, snapshot),
                LockMode.EXCLUSIVE,
                MANIFEST_WAIT_MILLIS);
    }

    /** Waits up to {@link #JOURNAL_WAIT_MILLIS}. */
    public Guard lockMoveJournal() throws DatastoreException {
        return lock(moveJournal(), "move journal", LockMode.EXCLUSIVE, JOURNAL_WAIT_MILLIS);
    }

    /** The file in which moves of snapshots are announced; it may not exist. */
    public Path moveJournal() {
        return storeDirectory.resolve("move-journal");
    }

    private Path path(BackupNamespace namespace, String object) {
        return storeDirectory.resolve(LockName.of(namespace, object));
    }

    private static String name(BackupNamespace namespace, Object object) {
        return namespace.isRoot() ? object.toString() : object + " in namespace " + namespace;
    }

    private Guard lock(Path path, String what, LockMode mode, long waitMillis) throws DatastoreException {
        LockHandle handle = open(path);
        boolean held = false;
        try {
            // Counted by the monotonic clock: a step of the wall clock must neither cut the wait nor prolong it.
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
            while (!handle.tryFlock(mode == LockMode.EXCLUSIVE)) {
                if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                    throw busy(handle, path, what, mode, waitMillis);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            requireSameFile(handle, path, what);
            held = true;
            return new FileGuard(files, handle, path);
        } catch (PosixException e) {
            throw new DatastoreException(
                    "the " + what + " cannot be locked: " + e.getMessage() + "; see the key lock-directory", e);
        } finally {
            if (!held) {
                handle.close();
            }
        }
    }

    private LockHandle open(Path path) throws DatastoreException {
        try {
            makeDirectories(path.getParent());
            LockFiles.createIfMissing(files, path, FILE_MODE, owner);
            return files.openLock(path, FILE_MODE);
        } catch (PosixException e) {
            throw new DatastoreException(
                    "the lock file " + path + " cannot be made or opened: " + e.getMessage()
                            + "; let the key lock-directory (now " + directory
                            + ") name a directory in which this user may write",
                    e);
        }
    }

    private void makeDirectories(Path wanted) throws PosixException {
        FileStat stat = new FileStat();
        if (files.stat(wanted, true, stat)) {
            return;
        }
        Path parent = wanted.getParent();
        if (parent != null) {
            makeDirectories(parent);
        }
        if (files.makeDirectory(wanted, DIRECTORY_MODE) && !owner.equals(FileOwner.UNCHANGED)) {
            files.changeOwner(wanted, owner.uid(), owner.gid());
        }
    }

    /** Whoever deletes a group or snapshot unlinks the lock file it holds: then the lock that we got excludes nobody. */
    private void requireSameFile(LockHandle handle, Path path, String what)
            throws LockTimeoutException, PosixException {
        FileStat held = new FileStat();
        FileStat named = new FileStat();
        handle.stat(held);
        if (!files.stat(path, true, named) || named.inode() != held.inode() || named.device() != held.device()) {
            throw new LockTimeoutException(
                    path.toString(),
                    "the " + what + " was deleted while its lock " + path + " was being taken; look whether it is still"
                            + " there and try again");
        }
    }

    private static LockTimeoutException busy(LockHandle handle, Path path, String what, LockMode mode, long waitMillis)
            throws PosixException {
        FileStat stat = new FileStat();
        handle.stat(stat);
        String wanted = mode == LockMode.EXCLUSIVE ? "exclusively" : "for reading";
        String waited = waitMillis == 0 ? "" : " after " + waitMillis / 1000 + " s";
        return new LockTimeoutException(
                path.toString(),
                "the " + what + " cannot be locked " + wanted + waited + ": " + LockHolder.describeFlock(stat)
                        + " holds " + path + "; try again when that has ended");
    }

    /** Shared or exclusive. */
    public enum LockMode {
        SHARED,
        EXCLUSIVE
    }

    /** A lock that is held. {@code close} is idempotent. */
    public interface Guard extends AutoCloseable {

        /**
         * Unlinks the lock file as well, for a group or snapshot that has been deleted, then releases. Does nothing after
         * {@code close}. A lock file that cannot be unlinked stays and does no harm.
         */
        void removeAndClose();

        @Override
        void close();
    }

    private static final class FileGuard implements Guard {

        private final PosixFiles files;
        private final LockHandle handle;
        private final Path path;
        private boolean closed;

        FileGuard(PosixFiles files, LockHandle handle, Path path) {
            this.files = files;
            this.handle = handle;
            this.path = path;
        }

        @Override
        public synchronized void removeAndClose() {
            if (closed) {
                return; // the name may belong to somebody else's lock by now
            }
            try {
                var unused = files.unlink(path);
            } catch (PosixException e) {
                // It stays, and does no harm: the next holder uses it again.
            } finally {
                close();
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            handle.close();
        }
    }
}
