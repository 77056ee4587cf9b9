package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings every index of a store to the marker.
 *
 * <p>Three passes. The walk lists all index files, whatever the names above them. The ordered pass goes by namespaces and
 * groups and reads each group newest snapshot first: a backup names chunks of its predecessor again, so whoever reads the
 * successor first does not depend on the predecessor, which may be pruned meanwhile. If anything that was listed has
 * vanished when it is opened, a successor may have been finished that the listing did not know, or knew without its
 * indexes; so the group is listed and read again, at the eleventh attempt under its lock, which keeps backups away. The
 * last pass reads what the walk saw and the second did not, with a warning for each, and then the moves that were
 * announced while all this went on.
 *
 * <p>For use by one thread.
 */
final class IndexScan {

    /** Attempts at a group without its lock. */
    static final int UNLOCKED_ATTEMPTS = 10;

    /** Whether locks may be taken, and the journal of moves emptied. */
    enum Mode {
        RUN,
        LOOK_ONLY
    }

    private enum GroupResult {
        DONE,
        VANISHED,
        NEWEST_VANISHED
    }

    private final GcStore store;
    private final Mode mode;
    private final GcRun run;
    private final IndexMarker marker;
    private final IndexWalk walk;
    private final ManifestCheck manifests;
    private final DatastoreLayout layout;
    private Map<String, Long> remaining = new HashMap<>();

    IndexScan(GcStore store, Mode mode, GcRun run, ReferenceSink sink, NestedStores nested) {
        this.store = store;
        this.mode = mode;
        this.run = run;
        this.layout = store.layout();
        this.marker = new IndexMarker(store.files(), sink, run);
        this.walk = new IndexWalk(layout, store.files(), nested, run.task(), run.warnings());
        this.manifests = new ManifestCheck(store, run.warnings());
    }

    /** Marks everything. @throws SafetyException if anything may have been overlooked */
    void scan() throws DatastoreException {
        try {
            remaining = new HashMap<>(walk.walk());
            long references = 0;
            for (long records : remaining.values()) {
                references += records;
            }
            run.progress().expect(remaining.size(), references);
            for (BackupNamespace namespace :
                    store.catalog().namespaces(BackupNamespace.ROOT, BackupNamespace.MAX_DEPTH)) {
                for (BackupGroup group : store.catalog().groups(namespace)) {
                    run.task().checkAbort();
                    markGroup(namespace, group);
                }
            }
            markLeftovers();
            markMoved();
        } catch (TaskAbortedException | SafetyException | LockTimeoutException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    layout.root().toString(),
                    "indexes may have been overlooked: " + e.getMessage() + "; nothing has been removed",
                    e);
        }
    }

    /** Makes sure, when everything is marked, that nothing went away that would have looked like a deletion. */
    void checkAnchors() throws DatastoreException {
        walk.checkAnchors();
    }

    private void markGroup(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        for (int attempt = 0; attempt < UNLOCKED_ATTEMPTS; attempt++) {
            if (tryGroup(namespace, group) == GroupResult.DONE) {
                return;
            }
        }
        String name = layout.root().relativize(layout.group(namespace, group)).toString();
        if (mode == Mode.LOOK_ONLY) {
            run.warnings().add("unstable-group", name, "group " + name + " changes all the time: figures are a guess");
            return;
        }
        DirectoryLocks.Guard guard = store.directoryLocks().lockGroup(namespace, group);
        try {
            // Under the lock no successor can appear, so an older snapshot may go; the newest one should not.
            if (tryGroup(namespace, group) == GroupResult.NEWEST_VANISHED) {
                throw new SafetyException(
                        name,
                        "the newest snapshot of group " + name + " vanished " + (UNLOCKED_ATTEMPTS + 1)
                                + " times while it was read; nothing has been removed, run garbage collection again");
            }
        } finally {
            guard.close();
        }
    }

    private GroupResult tryGroup(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        List<SnapshotId> snapshots;
        try {
            snapshots = store.catalog().snapshots(namespace, group);
        } catch (SnapshotMissingException e) {
            return GroupResult.DONE;
        }
        GroupResult result = GroupResult.DONE;
        for (int i = 0; i < snapshots.size(); i++) {
            run.task().checkAbort();
            if (!markSnapshot(store.catalog().snapshot(namespace, snapshots.get(i)))) {
                if (i == 0) {
                    return GroupResult.NEWEST_VANISHED;
                }
                result = GroupResult.VANISHED;
            }
        }
        return result;
    }

    /** @return false if it, or an index that it was seen to have, vanished */
    private boolean markSnapshot(SnapshotDirectory snapshot) throws DatastoreException {
        ManifestCheck.Listed listed = manifests.load(snapshot);
        List<String> names;
        try {
            names = snapshot.fileNames();
        } catch (SnapshotMissingException e) {
            return false;
        }
        for (String name : names) {
            if (!name.endsWith(".fidx") && !name.endsWith(".didx")) {
                continue;
            }
            Path path = snapshot.path().resolve(name);
            String relative = relative(path);
            long records = marker.mark(path, relative, listed.entry(name));
            if (records < 0) {
                return false;
            }
            Long expected = remaining.remove(relative);
            run.progress().expect(expected == null ? 1 : 0, expected == null ? records : records - expected);
            run.progress().indexDone();
        }
        manifests.warnOfAbsent(snapshot, listed, names);
        return true;
    }

    /** Reads what the walk found and no listing names. */
    private void markLeftovers() throws DatastoreException {
        List<String> paths = new ArrayList<>(remaining.keySet());
        paths.sort(null);
        long strange = 0;
        for (String relative : paths) {
            run.task().checkAbort();
            Path path = layout.root().resolve(relative);
            int slash = relative.lastIndexOf('/');
            ManifestCheck.Listed listed = slash < 0
                    ? ManifestCheck.Listed.NOTHING
                    : manifests.load(StorePlace.of(relative.substring(0, slash)));
            long records = marker.mark(path, relative, listed.entry(relative.substring(slash + 1)));
            if (records < 0) {
                checkVanished(path, relative, listed);
                run.progress().expect(-1, -remaining.getOrDefault(relative, 0L));
                continue;
            }
            strange++;
            run.progress().indexDone();
            run.warnings()
                    .add(
                            "strange-path",
                            relative,
                            "index " + relative + " is not where backups put them; its chunks are kept");
        }
        if (strange > 0) {
            run.task()
                    .warn("found " + strange + " index files outside of the expected places; snapshot listings do not"
                            + " show them");
        }
    }

    /** An index that was listed and is not there: removed meanwhile, or a link to nowhere. */
    private void checkVanished(Path path, String relative, ManifestCheck.Listed listed) throws DatastoreException {
        try {
            FileStat stat = new FileStat();
            if (!store.files().stat(path, false, stat) || stat.type() != FileType.SYMLINK) {
                return;
            }
        } catch (PosixException e) {
            throw new SafetyException(relative, "index " + relative + " cannot be looked at: " + e.getMessage(), e);
        }
        if (listed.lists(relative.substring(relative.lastIndexOf('/') + 1))) {
            throw new SafetyException(
                    relative,
                    "index " + relative
                            + " of a finished snapshot is a symbolic link to nowhere, so the chunks it needs"
                            + " are not known; bring the file back, or forget the snapshot. Nothing has been removed");
        }
        run.warnings()
                .add(
                        "dangling-index",
                        relative,
                        "index " + relative + " is a symbolic link to nowhere; it protects nothing");
    }

    private void markMoved() throws DatastoreException {
        if (mode == Mode.RUN) {
            store.moveJournal().drain(this::markMovedIndex);
        } else {
            store.moveJournal().peek(this::markMovedIndex);
        }
    }

    private void markMovedIndex(Path path) throws DatastoreException {
        String relative = relative(path);
        if (!relative.endsWith(".fidx") && !relative.endsWith(".didx")) {
            // The rest of a line whose writer died; no index has such a name.
            run.warnings()
                    .add(
                            "odd-journal-line",
                            relative,
                            "the move journal names " + relative + ", which is no index: ignored");
            return;
        }
        long records = marker.mark(path, relative, null);
        if (records >= 0) {
            run.progress().expect(1, records);
            run.progress().indexDone();
        }
    }

    private String relative(Path path) {
        return path.startsWith(layout.root()) ? layout.root().relativize(path).toString() : path.toString();
    }
}
