package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.manifest.BackupManifest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Starts backups. Every lock is taken without waiting, in this order: process lock shared, group exclusive, previous
 * snapshot shared, snapshot exclusive.
 *
 * <p>The process lock comes first, before anything is made on disk: so a backup that is refused because another process
 * collects garbage leaves no trace, and the moment that counts as the writer's start lies before its first chunk. The
 * group's lock is a file outside the store, so it is taken before the group's directory is made, and the removal of an
 * empty group, which takes it as well, cannot get in between.
 *
 * <p>Safe for use by any thread.
 */
public final class BackupSessions {

    private final SnapshotContext context;
    private final StoreFiles files;

    public BackupSessions(SnapshotContext context) {
        this.context = context;
        this.files = context.storeFiles();
    }

    /**
     * Begins a backup; the snapshot's directory exists from here on, as an unfinished snapshot.
     *
     * @param snapshot its time must be later than that of every snapshot of the group
     * @param owner {@code user@realm} or {@code user@realm!token}; becomes the group's owner if the group is new
     * @throws LockTimeoutException if another backup of the group runs, or another process collects garbage
     * @throws SafetyException if the group belongs to somebody else
     * @throws AlreadyExistsException if the group has a snapshot that is not older
     * @throws SnapshotMissingException if the namespace does not exist
     * @throws FormatException if the group has snapshots but no valid owner file
     */
    public BackupSession start(BackupNamespace namespace, SnapshotId snapshot, String owner) throws DatastoreException {
        Path path = context.layout().snapshot(namespace, snapshot);
        ProcessLock writers = context.writerLock(path);
        GroupOwner wanted = GroupOwner.parse(owner);
        requireNamespace(namespace);
        SessionHold hold = new SessionHold(context, namespace, snapshot);
        boolean started = false;
        try {
            hold.process(writers.acquireShared());
            hold.group(context.locks().lockGroup(namespace, snapshot.group()));
            GroupPlace group = hold.group();
            files.requireDirectory(group.path().getParent());
            if (files.makeDirectory(group.path())) {
                hold.groupMade();
            }
            takeGroup(group, wanted);
            requireNewest(group, snapshot);
            Optional<SnapshotReader> previous = previous(group);
            if (previous.isPresent()) {
                hold.previous(previous.get());
            }
            hold.snapshot(context.locks().lockSnapshot(namespace, snapshot, LockMode.EXCLUSIVE));
            makeSnapshot(hold.place());
            hold.snapshotMade();
            started = true;
            return new RunningBackup(context, hold);
        } finally {
            if (!started) {
                hold.abandon();
            }
        }
    }

    private void requireNamespace(BackupNamespace namespace) throws DatastoreException {
        if (!namespace.isRoot() && !files.isDirectory(context.layout().namespace(namespace))) {
            throw new SnapshotMissingException(
                    namespace.toString(),
                    "datastore '" + context.name() + "' has no namespace '" + namespace + "'; create it first");
        }
    }

    /** A group that has neither owner nor snapshots is new, or what a crash left of one: it is free to take. */
    private static void takeGroup(GroupPlace group, GroupOwner wanted) throws DatastoreException {
        if (!group.hasOwnerFile() && group.snapshots().isEmpty()) {
            group.writeOwner(wanted);
            return;
        }
        GroupOwner owner = group.requireOwner();
        if (!owner.admits(wanted)) {
            throw new SafetyException(
                    group.path().toString(),
                    "group " + group.group() + " belongs to " + owner + ", not to " + wanted
                            + "; change its owner with 'group owner', or use another group");
        }
    }

    private static void requireNewest(GroupPlace group, SnapshotId snapshot) throws DatastoreException {
        List<SnapshotId> snapshots = group.snapshots();
        if (!snapshots.isEmpty() && snapshots.get(0).time() >= snapshot.time()) {
            throw new AlreadyExistsException(
                    snapshot.toString(),
                    "group " + group.group() + " has a snapshot of "
                            + snapshots.get(0).timeText()
                            + ", which is not older than " + snapshot.timeText()
                            + "; use a later time, or forget that snapshot if its time is wrong");
        }
    }

    /**
     * The newest finished snapshot, unless verify has found it bad. A base only saves work: where its manifest is damaged,
     * or somebody is about to forget it, the backup goes on without one.
     */
    private static Optional<SnapshotReader> previous(GroupPlace group) throws DatastoreException {
        Optional<SnapshotDirectory> last = group.lastFinished();
        if (last.isEmpty()) {
            return Optional.empty();
        }
        SnapshotReader reader;
        try {
            reader = last.get().open(null);
        } catch (FormatException | SnapshotMissingException | LockTimeoutException e) {
            return Optional.empty();
        }
        if (hasFailedVerify(reader.manifest())) {
            reader.close();
            return Optional.empty();
        }
        return Optional.of(reader);
    }

    /** A state that does not parse counts as never verified. */
    private static boolean hasFailedVerify(BackupManifest manifest) {
        return manifest.unprotected().get("verify_state") instanceof Map<?, ?> state
                && Objects.equals(state.get("state"), "failed");
    }

    private void makeSnapshot(SnapshotPlace place) throws DatastoreException {
        if (!files.makeDirectory(place.path())) {
            throw new AlreadyExistsException(
                    place.id().toString(), place.path() + " exists already, so " + place.id() + " cannot be made");
        }
    }
}
