package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.util.ArrayList;
import java.util.List;

/** Lists, makes and removes namespaces. */
public final class NamespaceJobs {

    private final Engine engine;

    /**
     * A namespace as listings show it.
     *
     * @param ns its name, empty for the root
     * @param groupCount groups directly in it
     */
    public record NamespaceItem(String ns, int groupCount) {}

    public NamespaceJobs(Engine engine) {
        this.engine = engine;
    }

    public List<NamespaceItem> list(String store, Scope scope) throws DatastoreException {
        List<NamespaceItem> items = new ArrayList<>();
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            for (BackupNamespace namespace : open.snapshots().namespaces(scope.namespace(), scope.maxDepth())) {
                List<BackupGroup> groups = open.snapshots().groups(namespace);
                items.add(new NamespaceItem(namespace.toString(), groups.size()));
            }
        }
        return List.copyOf(items);
    }

    /** Makes a namespace; its parent must exist. */
    public void create(String store, BackupNamespace namespace) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            open.snapshots().createNamespace(namespace);
        }
    }

    /** Removes a namespace that holds nothing. */
    public void delete(String store, BackupNamespace namespace) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            open.snapshots().deleteNamespace(namespace);
        }
    }
}
