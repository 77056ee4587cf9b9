package dev.holdfast.engine.job;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskAbortedException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hashes, compresses and stores the chunks of one running backup. A chunk that this backup has stored already, or that the
 * previous snapshot of the group names, is not stored again. Safe for use by any thread; as many chunks are worked on at a
 * time as there are cores.
 */
final class ChunkWriter {

    private static final CompletableFuture<Void> STORED = CompletableFuture.completedFuture(null);

    private final BackupSession session;
    private final BlockingQueue<BlobEncoder> encoders = new ArrayBlockingQueue<>(OrderedPipeline.cores());
    private final Map<ChunkDigest, CompletableFuture<Void>> seen = new ConcurrentHashMap<>();
    private final Object reuse = new Object();

    /**
     * What became of a chunk; an index may name it now.
     *
     * @param length plain bytes
     * @param newBytes bytes that it takes in the store if it was not there, else -1
     */
    record Stored(ChunkDigest digest, int length, long newBytes) {

        boolean isNew() {
            return newBytes >= 0;
        }
    }

    /** Counts of what was stored. One thread at a time. */
    static final class Counts {
        long bytes;
        long chunks;
        long newChunks;
        long newBytes;
        long reusedChunks;

        void add(Stored stored) {
            bytes += stored.length();
            chunks++;
            if (stored.isNew()) {
                newChunks++;
                newBytes += stored.newBytes();
            } else {
                reusedChunks++;
            }
        }
    }

    /** @param contentKey encrypts chunks; null for plain ones */
    ChunkWriter(BackupSession session, @Nullable CryptConfig contentKey) {
        this.session = session;
        for (int i = 0; i < OrderedPipeline.cores(); i++) {
            encoders.add(new BlobEncoder(true, contentKey));
        }
    }

    /** Stores a chunk, unless it is there. */
    Stored store(byte[] data, int length) throws DatastoreException {
        BlobEncoder encoder = taken(encoders);
        try {
            ChunkDigest digest = encoder.digest(data, 0, length);
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> other = seen.putIfAbsent(digest, mine);
            if (other != null) {
                await(other);
                return new Stored(digest, length, -1);
            }
            try {
                if (isReused(digest)) {
                    return new Stored(digest, length, -1);
                }
                InsertOutcome outcome = session.insertChunk(digest, encoder.encode(data, 0, length));
                boolean isNew = outcome.kind() == InsertOutcome.Kind.INSERTED;
                return new Stored(digest, length, isNew ? outcome.storedBytes() : -1);
            } catch (DatastoreException | RuntimeException | Error e) {
                mine.completeExceptionally(e);
                throw e;
            } finally {
                // Nothing more to wait for; the shared value keeps the map small.
                if (mine.complete(null)) {
                    seen.put(digest, STORED);
                }
            }
        } finally {
            encoders.add(encoder);
        }
    }

    private boolean isReused(ChunkDigest digest) throws DatastoreException {
        synchronized (reuse) {
            return session.reuseChunk(digest);
        }
    }

    /** Waits for the worker that stores the same chunk: only then may the index name it. */
    private static void await(CompletableFuture<Void> other) throws DatastoreException {
        try {
            other.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof DatastoreException known) {
                throw known;
            }
            throw e;
        }
    }

    static <T> T taken(BlockingQueue<T> pool) throws DatastoreException {
        try {
            return pool.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskAbortedException();
        }
    }
}
