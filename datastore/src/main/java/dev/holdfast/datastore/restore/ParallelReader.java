package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    private static final long ABORT_CHECK_MILLIS = 100;

    private static final long STOP_MILLIS = 1_000;

    private final ChunkStore chunks;
    private final IndexReader index;
    private final @Nullable CryptConfig crypt;
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
     * @param crypt the key, if the archive is encrypted
     */
    public ParallelReader(ChunkStore chunks, IndexReader index, @Nullable CryptConfig crypt, Limits limits) {
        this.chunks = chunks;
        this.index = index;
        this.crypt = crypt;
        this.limits = limits;
    }

    /**
     * Hands out the whole archive. Progress in bytes and abort go through the task.
     *
     * @throws dev.holdfast.datastore.error.ChunkMissingException if a chunk is absent
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if the content, length or digest of a chunk is wrong
     * @throws TaskAbortedException if the task was told to stop, or this thread was interrupted
     */
    public void forEach(TaskContext task, ChunkConsumer consumer) throws DatastoreException {
        BlockingQueue<ChunkReader> readers = new ArrayBlockingQueue<>(limits.workers());
        for (int i = 0; i < limits.workers(); i++) {
            readers.add(new ChunkReader(chunks, new BlobDecoder(crypt)));
        }
        ExecutorService workers = Executors.newFixedThreadPool(limits.workers(), work -> {
            Thread thread = new Thread(work, "restore");
            thread.setDaemon(true);
            return thread;
        });
        try {
            stream(task, consumer, workers, readers);
        } finally {
            stop(workers);
        }
    }

    /** Waits a moment, so that nobody still reads from a store that its caller closes next; a hung disk is not waited for. */
    private static void stop(ExecutorService workers) {
        workers.shutdownNow();
        try {
            var unused = workers.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stream(
            TaskContext task, ChunkConsumer consumer, ExecutorService workers, BlockingQueue<ChunkReader> readers)
            throws DatastoreException {
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
                window.add(submit(next, length, window.peekLast(), workers, readers));
                waiting += length;
                next++;
            }
            Pending first = window.remove();
            consumer.accept(first.position(), await(task, first.data()));
            waiting -= first.length();
            task.progress("restore", first.position() + first.length(), size, "bytes");
            task.checkAbort();
        }
    }

    private Pending submit(
            long record,
            int length,
            @Nullable Pending last,
            ExecutorService workers,
            BlockingQueue<ChunkReader> readers)
            throws DatastoreException {
        ChunkDigest digest = index.digest(record);
        long position = index.end(record) - length;
        if (last != null && last.length() == length && last.digest().equals(digest)) {
            return new Pending(digest, length, position, last.data());
        }
        Future<byte[]> data = workers.submit(() -> {
            // There are as many readers as workers, so one is always free.
            ChunkReader reader = readers.take();
            try {
                return reader.read(digest, length);
            } finally {
                readers.add(reader);
            }
        });
        return new Pending(digest, length, position, data);
    }

    private static byte[] await(TaskContext task, Future<byte[]> data) throws DatastoreException {
        while (true) {
            try {
                return data.get(ABORT_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                task.checkAbort();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TaskAbortedException();
            } catch (ExecutionException e) {
                throw unwrapped(e);
            }
        }
    }

    /** The worker's own exception: callers tell its kinds apart. */
    private static DatastoreException unwrapped(ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof DatastoreException known) {
            return known;
        }
        if (cause instanceof RuntimeException bug) {
            throw bug;
        }
        if (cause instanceof Error fatal) {
            throw fatal;
        }
        return new DatastoreException("a chunk could not be read: " + cause, cause);
    }
}
