package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.datastore.error.DatastoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The place of one group. Safe for use by any thread. */
public interface GroupDirectory {

    BackupNamespace namespace();

    BackupGroup group();

    Path path();

    boolean exists() throws DatastoreException;

    /**
     * Who owns the group: {@code user@realm} or {@code user@realm!token}.
     *
     * @throws dev.holdfast.datastore.error.FormatException if the owner file is missing or does not parse
     */
    String owner() throws DatastoreException;

    /**
     * Changes the owner, under the group's lock; also repairs a missing or broken owner file.
     *
     * @throws IllegalArgumentException if the text is no owner
     */
    void setOwner(String owner) throws DatastoreException;

    /** Notes of the group; empty if there are none. */
    String notes() throws DatastoreException;

    /** Sets the notes, under the group's lock. */
    void setNotes(String notes) throws DatastoreException;

    /** The newest finished snapshot, if any. */
    Optional<SnapshotDirectory> lastFinished() throws DatastoreException;

    /**
     * Removes all snapshots that are not protected, then the group if none is left. Takes the group's lock.
     *
     * @return the snapshots that stayed because they are protected
     */
    List<SnapshotDirectory> forget() throws DatastoreException;
}
