package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.util.Arrays;

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
     * @throws FormatException if its name has another extension, or it is no regular file, too short, has another magic,
     *     has no records, or its length and its header disagree
     * @throws DatastoreException if it may exist but cannot be read; the cause says why
     */
    static IndexReader open(PosixFiles files, Path path) throws DatastoreException {
        String name = path.toString();
        if (name.endsWith(".fidx")) {
            return FixedIndexReader.open(files, path);
        }
        if (name.endsWith(".didx")) {
            return DynamicIndexReader.open(files, path);
        }
        throw new FormatException(name, name + " is no index: an index file's name ends in .fidx or .didx");
    }

    Path path();

    /** {@link ArchiveName.Kind#FIXED_INDEX} or {@link ArchiveName.Kind#DYNAMIC_INDEX}. */
    ArchiveName.Kind kind();

    /** The 4096 bytes of the header, as they were at open; do not modify. */
    byte[] header();

    /** Random 16 bytes; informational. */
    default byte[] uuid() {
        return Arrays.copyOfRange(header(), IndexFormat.UUID_AT, IndexFormat.UUID_AT + IndexFormat.UUID_BYTES);
    }

    /** Creation time in the header, Unix seconds; informational. */
    default long createdSeconds() {
        return IndexFormat.getLong(header(), IndexFormat.CREATED_AT);
    }

    /** Number of records, at least 1. */
    long count();

    /** Logical size of the archive in bytes. */
    long size() throws DatastoreException;

    /** Chunk size in bytes of a fixed index; 0 for a dynamic one. */
    long chunkSize();

    /** Checksum in the header. Opening does not compare it: readers of Proxmox Backup Server never use it. */
    default ChunkDigest storedChecksum() {
        return ChunkDigest.of(header(), IndexFormat.CHECKSUM_AT);
    }

    /** Checksum over the records as they are. */
    ChunkDigest computeChecksum() throws DatastoreException;

    /** @throws FormatException if ends of a dynamic index do not grow */
    void checkOrder() throws DatastoreException;

    ChunkDigest digest(long record) throws DatastoreException;

    /** First byte after the chunk of this record. */
    long end(long record) throws DatastoreException;

    /**
     * The record that covers a byte, or -1 past the end.
     *
     * @param offset not negative
     */
    long recordAt(long offset) throws DatastoreException;

    /**
     * Streams all records in file order, by large reads, without an object per record. The ends of a dynamic index are
     * passed as they are, in order or not: whoever uses them calls {@link #checkOrder} before.
     */
    void forEach(RecordConsumer consumer) throws DatastoreException;

    @Override
    void close();
}
