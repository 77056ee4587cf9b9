package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import java.util.List;

/**
 * Namespaces, groups and snapshots of one store. Listings take what the layout's rules take, skip silently what they skip,
 * and fail where something could be hidden. Safe for use by any thread.
 */
public interface SnapshotCatalog {

    /**
     * A namespace and all below it, parents first.
     *
     * @param maxDepth levels below {@code start} to descend, 0 for {@code start} alone
     */
    List<BackupNamespace> namespaces(BackupNamespace start, int maxDepth) throws DatastoreException;

    /** The groups of one namespace, sorted. */
    List<BackupGroup> groups(BackupNamespace namespace) throws DatastoreException;

    /**
     * The snapshots of a group, newest first, finished or not.
     *
     * @throws dev.holdfast.datastore.error.SnapshotMissingException if the group is not there
     */
    List<SnapshotId> snapshots(BackupNamespace namespace, BackupGroup group) throws DatastoreException;

    /** The place of a group, whether or not it exists. */
    GroupDirectory group(BackupNamespace namespace, BackupGroup group);

    /** The place of a snapshot, whether or not it exists. */
    SnapshotDirectory snapshot(BackupNamespace namespace, SnapshotId snapshot);

    /**
     * Makes a namespace; its parent must exist.
     *
     * @throws dev.holdfast.datastore.error.AlreadyExistsException if it exists
     */
    void createNamespace(BackupNamespace namespace) throws DatastoreException;

    /** Removes a namespace that holds no groups and no namespaces; never the root. */
    void deleteNamespace(BackupNamespace namespace) throws DatastoreException;
}
