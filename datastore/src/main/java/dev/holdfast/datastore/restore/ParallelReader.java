package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Streams a whole archive in order, while workers load and decode the chunks ahead. Every chunk is checked before it is
 * handed out; after a failure nothing more is handed out, so a stream may end early with an exception, but never silently.
 *
 * <p>Memory: plain bytes of at most {@link Limits#bytesAhead} wait, or of one chunk if that is larger, plus one encoded
 * chunk for each worker. A run of equal chunks, such as the holes of an image, is loaded once.
 *
 * <p>One thread at a time.
 */
public final class ParallelReader {

    private final ChunkStore chunks;
    private final IndexReader index;
    private final ContentKey key;
    private final Limits limits;

    /**
     * How much runs side by side.
     *
     * @param workers threads that load and decode, 1 to 32
     * @param bytesAhead plain bytes that may wait for their turn
     */
    public record Limits(int workers, long bytesAhead) {

        /** Four workers saturate common disks; 64 MiB are sixteen chunks of the usual size. */
        public static final Limits DEFAULT = new Limits(4, 64L << 20);

        public Limits {
            if (workers < 1 || workers > 32) {
                throw new IllegalArgumentException("workers must be from 1 to 32, not " + workers);
            }
        }
    }

    /** Takes the chunks in the order of the archive, on the thread that called {@link #forEach}. */
    @FunctionalInterface
    public interface ChunkConsumer {

        /**
         * @param position where the chunk begins in the archive
         * @param data its checked plain bytes; do not modify
         */
        void accept(long position, byte[] data) throws DatastoreException;
    }

    private record Pending(ChunkDigest digest, int length, long position, Future<byte[]> data) {}

    /**
     * @param index open for as long as {@link #forEach} runs; closed by whoever opened it
     * @param key how its chunks are protected
     */
    public ParallelReader(ChunkStore chunks, IndexReader index, ContentKey key, Limits limits) {
        this.chunks = chunks;
        this.index = index;
        this.key = key;
        this.limits = limits;
    }

    /**
     * Hands out the whole archive. Progress in bytes and abort go through the task.
     *
     * @throws dev.holdfast.datastore.error.ChunkMissingException if a chunk is absent
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if the content, length or digest of a chunk is wrong
     * @throws dev.holdfast.datastore.task.TaskAbortedException if the task was told to stop, or this thread was interrupted
     */
    public void forEach(TaskContext task, ChunkConsumer consumer) throws DatastoreException {
        try (ChunkWorkers workers = new ChunkWorkers(chunks, key, limits.workers())) {
            stream(task, consumer, workers);
        }
    }

    private void stream(TaskContext task, ChunkConsumer consumer, ChunkWorkers workers) throws DatastoreException {
        ArrayDeque<Pending> window = new ArrayDeque<>();
        long waiting = 0;
        long next = 0;
        long size = index.size();
        while (next < index.count() || !window.isEmpty()) {
            while (next < index.count()) {
                int length = ChunkReader.length(index, next);
                if (!window.isEmpty() && waiting + length > limits.bytesAhead()) {
                    break;
                }
                window.add(submit(next, length, window.peekLast(), workers));
                waiting += length;
                next++;
            }
            Pending first = window.remove();
            consumer.accept(first.position(), ChunkWorkers.await(task, first.data()));
            waiting -= first.length();
            task.progress("restore", first.position() + first.length(), size, "bytes");
            task.checkAbort();
        }
    }

    private Pending submit(long record, int length, @Nullable Pending last, ChunkWorkers workers)
            throws DatastoreException {
        ChunkDigest digest = index.digest(record);
        long position = index.end(record) - length;
        boolean repeats =
                last != null && last.length() == length && last.digest().equals(digest);
        Future<byte[]> data = last != null && repeats ? last.data() : workers.submit(digest, length);
        return new Pending(digest, length, position, data);
    }
}
