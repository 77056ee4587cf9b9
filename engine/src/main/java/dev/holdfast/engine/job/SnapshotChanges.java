package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;

/** Forgets, protects and annotates snapshots. */
public final class SnapshotChanges {

    private final Engine engine;

    public SnapshotChanges(Engine engine) {
        this.engine = engine;
    }

    /** Removes a snapshot; its chunks stay until garbage collection. */
    public void forget(String store, BackupNamespace namespace, SnapshotId id) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            open.existing(namespace, id).forget();
        }
    }

    public void setProtected(String store, BackupNamespace namespace, SnapshotId id, boolean isProtected)
            throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            open.existing(namespace, id).setProtected(isProtected);
        }
    }

    /** Replaces the notes; empty text removes them. */
    public void setNotes(String store, BackupNamespace namespace, SnapshotId id, String notes)
            throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_WRITE)) {
            open.existing(namespace, id)
                    .updateManifest(manifest -> manifest.withUnprotected("notes", notes.isEmpty() ? null : notes));
        }
    }
}
