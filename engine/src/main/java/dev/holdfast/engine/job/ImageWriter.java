package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns an image into chunks and a fixed index of a running backup. Hashing, compressing and storing run on all cores; a few
 * chunks per core are in memory.
 *
 * <p>A chunk that this session has stored already, or that the previous snapshot of the group names, is not stored again.
 */
final class ImageWriter {

    /** The chunk size of images, in bytes. */
    static final int CHUNK_BYTES = 4 * 1024 * 1024;

    private static final CompletableFuture<Void> STORED = CompletableFuture.completedFuture(null);

    private final BackupSession session;
    private final @Nullable CryptConfig contentKey;
    private final BlockingQueue<BlobEncoder> encoders = new ArrayBlockingQueue<>(OrderedPipeline.cores());
    private final Map<ChunkDigest, CompletableFuture<Void>> seen = new ConcurrentHashMap<>();
    private final Object reuse = new Object();

    /** What was done. */
    static final class Counts {
        long bytes;
        long chunks;
        long newChunks;
        long newBytes;
        long reusedChunks;
    }

    private record Stored(long record, ChunkDigest digest, int length, boolean isNew, long bytes) {}

    /** @param contentKey encrypts chunks; null for plain ones */
    ImageWriter(BackupSession session, @Nullable CryptConfig contentKey) {
        this.session = session;
        this.contentKey = contentKey;
    }

    /** Writes the whole image. */
    Counts write(ImageSource source, ArchiveName archive, CryptMode mode, TaskContext task) throws DatastoreException {
        Counts counts = new Counts();
        BlockingQueue<byte[]> buffers = new ArrayBlockingQueue<>(OrderedPipeline.window() + 1);
        for (int i = 0; i <= OrderedPipeline.window(); i++) {
            buffers.add(new byte[CHUNK_BYTES]);
        }
        for (int i = 0; i < OrderedPipeline.cores(); i++) {
            encoders.add(new BlobEncoder(true, contentKey));
        }
        long size = source.size();
        task.progress("backup", 0, size, "bytes");
        try (BackupSession.FixedArchive index = session.fixedArchive(archive, size, CHUNK_BYTES);
                OrderedPipeline<Stored> pipeline = new OrderedPipeline<>("chunk", task, stored -> {
                    index.set(stored.record(), stored.digest());
                    count(counts, stored);
                    long end = stored.record() * CHUNK_BYTES + stored.length();
                    task.progress("backup", end, size, "bytes");
                })) {
            for (long position = 0; position < size; position += CHUNK_BYTES) {
                task.checkAbort();
                int length = (int) Math.min(CHUNK_BYTES, size - position);
                long record = position / CHUNK_BYTES;
                // There is one buffer more than items under way, so one is free here or about to be.
                byte[] buffer = taken(buffers);
                source.read(position, buffer, length);
                pipeline.submit(() -> {
                    try {
                        return store(record, buffer, length);
                    } finally {
                        buffers.add(buffer);
                    }
                });
            }
            pipeline.finish();
            source.checkUnchanged(task);
            index.finish(mode);
        }
        return counts;
    }

    private Stored store(long record, byte[] data, int length) throws DatastoreException {
        BlobEncoder encoder = taken(encoders);
        try {
            ChunkDigest digest = encoder.digest(data, 0, length);
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> other = seen.putIfAbsent(digest, mine);
            if (other != null) {
                await(other);
                return new Stored(record, digest, length, false, 0);
            }
            try {
                if (isReused(digest)) {
                    return new Stored(record, digest, length, false, 0);
                }
                InsertOutcome outcome = session.insertChunk(digest, encoder.encode(data, 0, length));
                boolean isNew = outcome.kind() == InsertOutcome.Kind.INSERTED;
                return new Stored(record, digest, length, isNew, isNew ? outcome.storedBytes() : 0);
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

    private static <T> T taken(BlockingQueue<T> pool) throws DatastoreException {
        try {
            return pool.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskAbortedException();
        }
    }

    private static void count(Counts counts, Stored stored) {
        counts.bytes += stored.length();
        counts.chunks++;
        if (stored.isNew()) {
            counts.newChunks++;
            counts.newBytes += stored.bytes();
        } else {
            counts.reusedChunks++;
        }
    }
}
