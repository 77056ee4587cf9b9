package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.GroupDirectory;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists and changes groups. */
public final class GroupJobs {

    private final Engine engine;

    public GroupJobs(Engine engine) {
        this.engine = engine;
    }

    /** The groups of a part of a store. */
    public Listing<GroupItem> list(String store, Scope scope) throws DatastoreException {
        List<GroupItem> items = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            for (BackupNamespace namespace : open.snapshots().namespaces(scope.namespace(), scope.maxDepth())) {
                for (BackupGroup group : open.snapshots().groups(namespace)) {
                    try {
                        items.add(item(open, open.snapshots().group(namespace, group), warnings));
                    } catch (SnapshotMissingException e) {
                        // Forgotten by somebody since it was listed.
                        continue;
                    }
                }
            }
        }
        return new Listing<>(List.copyOf(items), List.copyOf(warnings));
    }

    private static GroupItem item(OpenDatastore open, GroupDirectory group, List<String> warnings)
            throws DatastoreException {
        List<SnapshotId> snapshots = open.snapshots().snapshots(group.namespace(), group.group());
        Optional<SnapshotDirectory> last = group.lastFinished();
        return new GroupItem(
                group.namespace().toString(),
                group.group().toString(),
                group.group().type(),
                group.group().id(),
                last.isPresent() ? last.get().id().time() : 0,
                snapshots.size(),
                SnapshotQueries.owner(open, group.namespace(), group.group(), warnings),
                SnapshotQueries.firstLine(group.notes()),
                last.isPresent() ? last.get().fileNames() : List.of());
    }

    /**
     * Removes a group with all its snapshots.
     *
     * @return names of the snapshots that stayed because they are protected
     */
    public List<String> forget(String store, BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            return open.existing(namespace, group).forget().stream()
                    .map(snapshot -> snapshot.id().toString())
                    .toList();
        }
    }

    /** The owner, after changing it if a new one is given. */
    public String owner(String store, BackupNamespace namespace, BackupGroup group, @Nullable String newOwner)
            throws DatastoreException {
        AccessMode mode = newOwner == null ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
        try (OpenDatastore open = engine.datastores().open(store, mode)) {
            GroupDirectory directory = open.existing(namespace, group);
            if (newOwner != null) {
                directory.setOwner(newOwner);
            }
            return directory.owner();
        }
    }

    /** The notes, after changing them if new ones are given. */
    public String notes(String store, BackupNamespace namespace, BackupGroup group, @Nullable String newNotes)
            throws DatastoreException {
        AccessMode mode = newNotes == null ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
        try (OpenDatastore open = engine.datastores().open(store, mode)) {
            GroupDirectory directory = open.existing(namespace, group);
            if (newNotes != null) {
                directory.setNotes(newNotes);
            }
            return directory.notes();
        }
    }
}
