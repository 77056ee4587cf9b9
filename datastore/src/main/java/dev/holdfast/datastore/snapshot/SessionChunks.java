package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.task.TaskContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that a backup may name in its indexes: those that it stored, and those of the previous snapshot that it found
 * and touched. Safe for use by any thread; the store is called outside the monitor, so that inserts run side by side.
 */
final class SessionChunks {

    private static final byte REUSED = 1;
    private static final byte STORED = 2;
    /** Stored, and its length is in the statistics. */
    private static final byte COUNTED = 3;

    private final ChunkStore store;
    private final Optional<SnapshotReader> previous;
    private final DigestStates known = new DigestStates();
    private @Nullable DigestStates ofPrevious;
    private long uploads;
    private long duplicates;
    private long storedBytes;
    private long plainBytes;

    SessionChunks(ChunkStore store, Optional<SnapshotReader> previous) {
        this.store = store;
        this.previous = previous;
    }

    InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        InsertOutcome outcome = store.insert(digest, blob);
        synchronized (this) {
            uploads++;
            storedBytes += outcome.storedBytes();
            if (outcome.kind() == InsertOutcome.Kind.EXISTED) {
                duplicates++;
            }
            if (known.get(digest) != COUNTED) {
                known.put(digest, STORED);
            }
        }
        return outcome;
    }

    /**
     * The previous snapshot is locked, so its chunks are marked by any collection that runs meanwhile. The chunk is touched
     * all the same: it costs one call, keeps the chunk as young as one that was inserted, and finds out at once if it is
     * gone, where the alternative would be a new snapshot that refers to nothing.
     */
    boolean reuse(ChunkDigest digest) throws DatastoreException {
        synchronized (this) {
            if (known.get(digest) != 0) {
                return true;
            }
            if (previous.isEmpty() || loadPrevious(previous.get()).get(digest) == 0) {
                return false;
            }
        }
        Optional<ChunkStat> stat = store.stat(digest);
        if (stat.isEmpty() || stat.get().size() == 0) {
            return false;
        }
        if (store.touch(new Single(digest), TaskContext.silent()).absent().length != 0) {
            return false;
        }
        synchronized (this) {
            if (known.get(digest) == 0) {
                known.put(digest, REUSED);
            }
        }
        return true;
    }

    /**
     * @param length plain bytes of the chunk
     * @throws DatastoreException if the chunk was neither stored nor reused in this session
     */
    synchronized void requireKnown(ChunkDigest digest, long length) throws DatastoreException {
        byte state = known.get(digest);
        if (state == 0) {
            throw new DatastoreException("an index cannot name chunk " + digest
                    + ": this backup has neither stored nor reused it; insert it first");
        }
        if (state == STORED) {
            plainBytes += length;
            known.put(digest, COUNTED);
        }
    }

    /** The member {@code chunk_upload_stats} of the manifest: counts, and bytes before and after compression. */
    synchronized Map<String, Object> statistics(long blobBytes) {
        Map<String, Object> statistics = new LinkedHashMap<>();
        statistics.put("compressed_size", storedBytes);
        statistics.put("count", uploads);
        statistics.put("duplicates", duplicates);
        statistics.put("size", plainBytes + blobBytes);
        return statistics;
    }

    private DigestStates loadPrevious(SnapshotReader reader) throws DatastoreException {
        DigestStates loaded = ofPrevious;
        if (loaded == null) {
            DigestStates digests = new DigestStates();
            for (ManifestEntry entry : reader.manifest().files()) {
                ArchiveName name = entry.name();
                if (name.isIndex()) {
                    try (IndexReader index = reader.index(name)) {
                        index.forEach((records, offset, start, end) -> digests.put(records, offset, REUSED));
                    } catch (FormatException e) {
                        // A base only saves work: what a damaged index names is stored again, by its own digest.
                        continue;
                    }
                }
            }
            loaded = digests;
            ofPrevious = loaded;
        }
        return loaded;
    }

    private record Single(ChunkDigest digest) implements TouchBatch {

        @Override
        public int size() {
            return 1;
        }

        @Override
        public int prefix(int position) {
            return digest.prefix();
        }

        @Override
        public void copyDigest(int position, byte[] target, int offset) {
            digest.copyTo(target, offset);
        }
    }
}
