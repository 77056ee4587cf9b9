package dev.holdfast.datastore.chunk;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A store of chunks, named by digest.
 *
 * <p>Promises of every implementation:
 *
 * <ul>
 *   <li><b>Whole or not at all.</b> No reader ever sees part of a chunk under its name.
 *   <li><b>Used from the start of the call.</b> A chunk that {@code insert} or {@code touch} has accepted has an access
 *       time that is not before the call.
 *   <li><b>Certain absence only.</b> A chunk is reported absent only when the store is certain; doubt (permission, I/O
 *       error, a missing prefix directory) is an exception.
 *   <li><b>One at a time per prefix.</b> Insert, touch and the judging and removing of a sweep exclude each other for
 *       chunks of the same prefix, inside this process.
 *   <li><b>No policy.</b> The store never decides what may be removed.
 * </ul>
 *
 * <p>Safe for use by any thread.
 */
public interface ChunkStore extends AutoCloseable {

    /**
     * Stores a chunk under its digest. At sync level <i>file</i> it is on disk before this returns. Of two racing inserts
     * one is INSERTED, the other EXISTED. A chunk of the same length counts as present, whatever its content; an empty
     * file does not; a smaller plain chunk is kept, a larger one replaced.
     *
     * @throws dev.holdfast.datastore.error.ChunkConflictException if an encrypted chunk would replace a plain one
     */
    InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException;

    /**
     * Reads a chunk whose container and CRC were checked; the digest was not.
     *
     * @throws dev.holdfast.datastore.error.ChunkMissingException if it is certainly absent
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if it is too short, too long, of unknown magic, or its
     *     CRC is wrong
     */
    DataBlob load(ChunkDigest digest) throws DatastoreException;

    /** Size, access time and inode; empty only when the store is certain that there is no such chunk. */
    Optional<ChunkStat> stat(ChunkDigest digest) throws DatastoreException;

    /**
     * Sets the access time of every present chunk of the batch to now. Content and modification time stay. Bad copies of
     * absent chunks are touched instead. Repeating is harmless. Abort is honoured inside.
     *
     * @return the absent chunks, among other things
     * @throws DatastoreException for any failure but absence; the batch may then be half done
     */
    TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException;

    /**
     * Enumerates all files, asks the policy, removes what it judges REMOVE. Entries that are no regular files are skipped
     * with a warning.
     *
     * @throws DatastoreException at the first failure; earlier removals stand
     */
    SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException;

    /**
     * Sets a corrupt chunk aside under the next free {@code .N.bad} name.
     *
     * @return N, or empty if the chunk was already gone
     */
    OptionalInt quarantine(ChunkDigest digest) throws DatastoreException;

    /** A permutation of the input that is good for reading: a hint, by inode on disk. */
    List<ChunkDigest> readOrder(List<ChunkDigest> digests) throws DatastoreException;

    @Override
    void close();
}
