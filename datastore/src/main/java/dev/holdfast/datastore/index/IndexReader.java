package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;

/**
 * An open index file. Deleting the file does not disturb it. Safe for use by several threads; {@code close} is idempotent.
 *
 * <p>Opening checks everything the header and the length can tell. {@link #computeChecksum} and {@link #checkOrder} read
 * all records; whoever trusts the records with somebody's data calls them.
 */
public interface IndexReader extends AutoCloseable {

    /** Called for each record of an index, in order. */
    @FunctionalInterface
    interface RecordConsumer {

        /**
         * @param records a buffer that holds the record's digest; valid during the call only
         * @param offset where the 32 bytes of the digest begin in {@code records}
         * @param start first byte of the chunk in the logical stream
         * @param end first byte after it
         */
        void accept(byte[] records, int offset, long start, long end) throws DatastoreException;
    }

    /**
     * Opens by the extension of the file's name.
     *
     * @throws dev.holdfast.datastore.error.SnapshotMissingException if it does not exist
     * @throws dev.holdfast.datastore.error.FormatException if it is no regular file, too short, has another magic, or its
     *     length and its header disagree
     */
    static IndexReader open(PosixFiles files, Path path) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    Path path();

    /** {@link ArchiveName.Kind#FIXED_INDEX} or {@link ArchiveName.Kind#DYNAMIC_INDEX}. */
    ArchiveName.Kind kind();

    byte[] uuid();

    /** Creation time in the header, Unix seconds; informational. */
    long createdSeconds();

    /** Number of records, at least 1. */
    long count();

    /** Logical size of the archive in bytes. */
    long size() throws DatastoreException;

    /** Chunk size in bytes of a fixed index; 0 for a dynamic one. */
    long chunkSize();

    /** Checksum in the header. */
    ChunkDigest storedChecksum();

    /** Checksum over the records as they are. */
    ChunkDigest computeChecksum() throws DatastoreException;

    /** @throws dev.holdfast.datastore.error.FormatException if ends of a dynamic index do not grow */
    void checkOrder() throws DatastoreException;

    ChunkDigest digest(long record) throws DatastoreException;

    /** First byte after the chunk of this record. */
    long end(long record) throws DatastoreException;

    /** The record that covers a byte, or -1 past the end. */
    long recordAt(long offset) throws DatastoreException;

    /** Streams all records in file order, by large reads. */
    void forEach(RecordConsumer consumer) throws DatastoreException;

    @Override
    void close();
}
