package dev.holdfast.engine.wiring;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.snapshot.BackupSessions;
import dev.holdfast.datastore.snapshot.GroupDirectory;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.posix.PosixFiles;

/** One open store with what jobs on it need. Safe for use by any thread; {@code close} is idempotent. */
public final class OpenDatastore implements AutoCloseable {

    private final FilesystemDatastore store;
    private final GarbageCollector collector;

    OpenDatastore(FilesystemDatastore store, GarbageCollector collector) {
        this.store = store;
        this.collector = collector;
    }

    public String name() {
        return store.name();
    }

    public DatastoreLayout layout() {
        return store.layout();
    }

    public ChunkStore chunks() {
        return store.chunks();
    }

    public SnapshotCatalog snapshots() {
        return store.snapshots();
    }

    /** Starts backups. */
    public BackupSessions backups() {
        return store.backups();
    }

    public GarbageCollector collector() {
        return collector;
    }

    public DatastoreTuning tuning() {
        return store.tuning();
    }

    public PosixFiles files() {
        return store.files();
    }

    /** The figures of the last successful garbage collection; all zero if there was none. */
    public GarbageCollectionStatus lastCollection() throws DatastoreException {
        return store.gcStatus().orElse(GarbageCollectionStatus.NONE);
    }

    /** @throws SnapshotMissingException if there is no such snapshot */
    public SnapshotDirectory existing(BackupNamespace namespace, SnapshotId id) throws DatastoreException {
        SnapshotDirectory directory = store.snapshots().snapshot(namespace, id);
        if (!directory.exists()) {
            throw new SnapshotMissingException(
                    id.toString(), "datastore '" + name() + "' has no snapshot " + id + in(namespace));
        }
        return directory;
    }

    /** @throws SnapshotMissingException if there is no such group */
    public GroupDirectory existing(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        GroupDirectory directory = store.snapshots().group(namespace, group);
        if (!directory.exists()) {
            throw new SnapshotMissingException(
                    group.toString(), "datastore '" + name() + "' has no group " + group + in(namespace));
        }
        return directory;
    }

    /** @throws SnapshotMissingException if there is no such namespace */
    public void requireNamespace(BackupNamespace namespace) throws DatastoreException {
        if (!namespace.isRoot()
                && !store.snapshots().namespaces(namespace.parent(), 1).contains(namespace)) {
            throw new SnapshotMissingException(
                    namespace.toString(), "datastore '" + name() + "' has no namespace '" + namespace + "'");
        }
    }

    private static String in(BackupNamespace namespace) {
        return namespace.isRoot() ? "" : " in namespace '" + namespace + "'";
    }

    @Override
    public void close() {
        store.close();
    }
}
