package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.datastore.lock.ProcessLock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a backup holds while it runs: its locks, and what it made on disk that goes again unless it finishes. One thread
 * at a time.
 */
final class SessionHold {

    private final SnapshotContext context;
    private final SnapshotPlace place;
    private final GroupPlace group;
    private ProcessLock.@Nullable Guard processGuard;
    private DirectoryLocks.@Nullable Guard groupGuard;
    private DirectoryLocks.@Nullable Guard previousGuard;
    private DirectoryLocks.@Nullable Guard snapshotGuard;
    private @Nullable SnapshotReader previous;
    private boolean groupMade;
    private boolean snapshotMade;

    SessionHold(SnapshotContext context, BackupNamespace namespace, SnapshotId snapshot) {
        this.context = context;
        this.place = new SnapshotPlace(context, namespace, snapshot);
        this.group = new GroupPlace(context, namespace, snapshot.group());
    }

    SnapshotPlace place() {
        return place;
    }

    GroupPlace group() {
        return group;
    }

    Optional<SnapshotReader> previous() {
        return Optional.ofNullable(previous);
    }

    void process(ProcessLock.Guard guard) {
        processGuard = guard;
    }

    void group(DirectoryLocks.Guard guard) {
        groupGuard = guard;
    }

    /** Locks the previous snapshot for as long as the backup runs, even if the reader's user closes it earlier. */
    void previous(SnapshotReader reader) throws DatastoreException {
        previous = reader;
        previousGuard = context.locks()
                .lockSnapshot(reader.directory().namespace(), reader.directory().id(), LockMode.SHARED);
    }

    void snapshot(DirectoryLocks.Guard guard) {
        snapshotGuard = guard;
    }

    void groupMade() {
        groupMade = true;
    }

    void snapshotMade() {
        snapshotMade = true;
    }

    /** The snapshot is there: lets go of everything, the group last. */
    void release() {
        closeAll();
    }

    /**
     * The backup has failed: removes what it made, under the locks that it still holds, then lets go. What cannot be
     * removed stays as an unfinished snapshot, which stands in nobody's way and goes with the next prune; the failure that
     * led here is the one to report.
     */
    void abandon() {
        try {
            if (snapshotMade && snapshotGuard != null && removed(this::removeSnapshot)) {
                snapshotGuard.removeAndClose();
            }
            if (groupMade && groupGuard != null && removed(group::removeIfEmpty)) {
                groupGuard.removeAndClose();
            }
        } finally {
            closeAll();
        }
    }

    private boolean removeSnapshot() throws DatastoreException {
        place.removeFiles();
        return true;
    }

    private void closeAll() {
        if (previous != null) {
            previous.close();
        }
        if (previousGuard != null) {
            previousGuard.close();
        }
        if (processGuard != null) {
            processGuard.close();
        }
        if (snapshotGuard != null) {
            snapshotGuard.close();
        }
        if (groupGuard != null) {
            groupGuard.close();
        }
    }

    private static boolean removed(Removal removal) {
        try {
            return removal.run();
        } catch (DatastoreException e) {
            return false;
        }
    }

    private interface Removal {
        boolean run() throws DatastoreException;
    }
}
