package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What manifests say about indexes. Manifests are a second witness, not a condition: an index is marked without one, and a
 * manifest that cannot be read is only a warning, because it hides no index.
 */
final class ManifestCheck {

    /**
     * What a snapshot's manifest lists.
     *
     * @param manifest null if there is none, or it cannot be read
     * @param unreadable whether there is one that cannot be read
     */
    record Listed(@Nullable BackupManifest manifest, boolean unreadable) {

        static final Listed NOTHING = new Listed(null, false);

        @Nullable
        ManifestEntry entry(ArchiveName name) {
            return manifest == null ? null : manifest.file(name).orElse(null);
        }

        @Nullable
        ManifestEntry entry(String name) {
            return ArchiveName.isValid(name) ? entry(new ArchiveName(name)) : null;
        }

        /** Whether the snapshot is finished and its manifest names a file, or may do so. */
        boolean lists(String name) {
            return unreadable || entry(name) != null;
        }
    }

    private final GcStore store;
    private final GcWarnings warnings;

    ManifestCheck(GcStore store, GcWarnings warnings) {
        this.store = store;
        this.warnings = warnings;
    }

    /** The manifest of the snapshot that a place is, if it is one. */
    Listed load(StorePlace place) throws TaskAbortedException {
        Optional<StorePlace.Snapshot> snapshot = place.snapshot();
        return snapshot.isEmpty()
                ? Listed.NOTHING
                : load(store.catalog()
                        .snapshot(snapshot.get().namespace(), snapshot.get().id()));
    }

    /** To be called before the indexes are read: a backup writes its manifest when its indexes are complete. */
    Listed load(SnapshotDirectory snapshot) throws TaskAbortedException {
        try {
            return new Listed(snapshot.manifest(), false);
        } catch (SnapshotMissingException e) {
            return Listed.NOTHING;
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            String relative = relative(snapshot);
            warnings.add(
                    "unreadable-manifest",
                    relative,
                    "the manifest of snapshot " + relative + " cannot be read; its indexes were not compared with it: "
                            + e.getMessage());
            return new Listed(null, true);
        }
    }

    /** Warns of indexes that a finished snapshot should have and has not. */
    void warnOfAbsent(SnapshotDirectory snapshot, Listed listed, List<String> names) throws DatastoreException {
        if (listed.manifest() == null) {
            return;
        }
        for (ManifestEntry entry : listed.manifest().files()) {
            if (entry.name().isIndex()
                    && !names.contains(entry.name().text())
                    && isAbsent(snapshot, entry.name())
                    && snapshot.isFinished()) {
                String path = relative(snapshot) + "/" + entry.name();
                warnings.add(
                        "missing-index",
                        path,
                        "index " + path + " is gone although the manifest lists it; its chunks are"
                                + " kept only if another index names them");
            }
        }
    }

    /** Certainly absent: a link is not listed, and is dealt with elsewhere. */
    private boolean isAbsent(SnapshotDirectory snapshot, ArchiveName name) throws DatastoreException {
        try {
            return !store.files().stat(snapshot.path().resolve(name.text()), false, new FileStat());
        } catch (PosixException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    private String relative(SnapshotDirectory snapshot) {
        return store.layout().root().relativize(snapshot.path()).toString();
    }
}
