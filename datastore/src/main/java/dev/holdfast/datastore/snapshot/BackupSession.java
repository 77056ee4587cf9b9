package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One running backup. Holds the group's and the snapshot's exclusive locks, the shared lock of the previous snapshot and
 * the shared process lock, so that garbage collection knows when it began.
 *
 * <p>Closing without {@link #finish} removes the snapshot directory. {@link #insertChunk} is safe for use by many threads;
 * everything else belongs to one thread.
 */
public interface BackupSession extends AutoCloseable {

    SnapshotId snapshot();

    /** The newest finished snapshot of the group that may serve as a base (not failed in verify), open for reading. */
    Optional<SnapshotReader> previous();

    /** Stores a chunk; only then may an index of this session name it. */
    InsertOutcome insertChunk(ChunkDigest digest, DataBlob blob) throws DatastoreException;

    /**
     * Says that a chunk of the previous snapshot is used again, without storing it. The chunk is touched. True as well for
     * a chunk that this session has taken already.
     *
     * @return false if no sound archive of the previous snapshot names it, or its file is gone or empty; it must then be
     *     inserted
     */
    boolean reuseChunk(ChunkDigest digest) throws DatastoreException;

    /** Begins a fixed index of this snapshot. */
    FixedArchive fixedArchive(ArchiveName name, long size, long chunkSize) throws DatastoreException;

    /** Begins a dynamic index of this snapshot. */
    DynamicArchive dynamicArchive(ArchiveName name) throws DatastoreException;

    /** Writes a blob file of this snapshot and records it in the manifest. */
    void addBlob(ArchiveName name, DataBlob blob, CryptMode mode) throws DatastoreException;

    /** Sets the notes of the snapshot that is being made. */
    void setNotes(String notes);

    /**
     * Syncs as the store's sync level says, writes the manifest (signed if there is a key), releases the locks. The
     * snapshot exists from here on. After a failure the session can only be closed, which removes the snapshot.
     */
    void finish(@Nullable CryptConfig crypt) throws DatastoreException;

    @Override
    void close();

    /** A fixed index in the making. Records may be set in any order, by one thread at a time. */
    interface FixedArchive extends AutoCloseable {

        /** The chunk must have been stored or reused in this session. */
        void set(long record, ChunkDigest digest) throws DatastoreException;

        /** Gives the index its final name and records it in the manifest. */
        void finish(CryptMode mode) throws DatastoreException;

        @Override
        void close();
    }

    /** A dynamic index in the making. */
    interface DynamicArchive extends AutoCloseable {

        /** The chunk must have been stored or reused in this session. */
        void add(ChunkDigest digest, long length) throws DatastoreException;

        void finish(CryptMode mode) throws DatastoreException;

        @Override
        void close();
    }
}
