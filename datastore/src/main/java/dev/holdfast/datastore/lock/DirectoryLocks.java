package dev.holdfast.datastore.lock;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;

/**
 * Group, snapshot, manifest and move-journal locks of one store, by flock at the paths that Proxmox Backup Server uses, so
 * that both exclude each other on one store.
 */
public final class DirectoryLocks {

    /** Where Proxmox Backup Server keeps its lock files. */
    public static final Path DEFAULT_DIRECTORY = Path.of("/run/proxmox-backup/locks");

    /** How long a manifest update waits for its lock, in milliseconds. */
    public static final long MANIFEST_WAIT_MILLIS = 5_000;

    /**
     * @param directory the directory of all stores' locks, see {@link #DEFAULT_DIRECTORY}
     * @param store the store's name
     */
    public DirectoryLocks(PosixFiles files, Path directory, String store, FileOwner owner) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** @throws dev.holdfast.datastore.error.LockTimeoutException if it is held */
    public Guard lockGroup(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** @throws dev.holdfast.datastore.error.LockTimeoutException if it is held in a way that conflicts */
    public Guard lockSnapshot(BackupNamespace namespace, SnapshotId snapshot, LockMode mode) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Waits up to {@link #MANIFEST_WAIT_MILLIS}. */
    public Guard lockManifest(BackupNamespace namespace, SnapshotId snapshot) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Waits up to 10 s. */
    public Guard lockMoveJournal() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The file in which moves of snapshots are announced; it may not exist. */
    public Path moveJournal() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Shared or exclusive. */
    public enum LockMode {
        SHARED,
        EXCLUSIVE
    }

    /** A lock that is held. {@code close} is idempotent. */
    public interface Guard extends AutoCloseable {

        /** Unlinks the lock file as well, for a group or snapshot that has been deleted, then releases. */
        void removeAndClose();

        @Override
        void close();
    }
}
