package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.manifest.BackupManifest;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The place of one snapshot. Safe for use by any thread. */
public interface SnapshotDirectory {

    BackupNamespace namespace();

    SnapshotId id();

    Path path();

    boolean exists() throws DatastoreException;

    /**
     * Names of the regular files that have the form of an archive, sorted; symbolic links are not among them.
     *
     * @throws dev.holdfast.datastore.error.SnapshotMissingException if the snapshot is not there
     */
    List<String> fileNames() throws DatastoreException;

    /** Whether it has a manifest. */
    boolean isFinished() throws DatastoreException;

    boolean isProtected() throws DatastoreException;

    /** Sets or clears the protection, under the snapshot's exclusive lock. */
    void setProtected(boolean isProtected) throws DatastoreException;

    /**
     * The manifest.
     *
     * @throws dev.holdfast.datastore.error.SnapshotMissingException if there is none
     */
    BackupManifest manifest() throws DatastoreException;

    /** Loads, changes and atomically replaces the manifest, under its lock. */
    void updateManifest(UnaryOperator<BackupManifest> change) throws DatastoreException;

    /**
     * Opens for reading, under the shared lock of the snapshot, kept until the reader is closed. Works on a read-only
     * mount.
     *
     * @param crypt the key, if the content is encrypted or the signature is to be checked
     */
    SnapshotReader open(@Nullable CryptConfig crypt) throws DatastoreException;

    /**
     * Removes the snapshot under its locks, and its group if it was the last one.
     *
     * @throws dev.holdfast.datastore.error.SafetyException if it is protected
     */
    void forget() throws DatastoreException;
}
