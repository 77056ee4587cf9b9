package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that load and decode chunks; they start when there is work. {@code close} is idempotent. */
final class ChunkWorkers implements AutoCloseable {

    private static final long ABORT_CHECK_MILLIS = 100;

    private static final long STOP_MILLIS = 1_000;

    private final ThreadPoolExecutor threads;
    private final BlockingQueue<ChunkReader> readers;

    ChunkWorkers(ChunkStore chunks, ContentKey key, int count) {
        readers = new ArrayBlockingQueue<>(count);
        for (int i = 0; i < count; i++) {
            readers.add(new ChunkReader(chunks, key));
        }
        threads = new ThreadPoolExecutor(count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, "restore");
            thread.setDaemon(true);
            return thread;
        });
    }

    Future<byte[]> submit(ChunkDigest digest, int length) {
        return threads.submit(() -> {
            // There are as many readers as workers, so one is always free.
            ChunkReader reader = readers.take();
            try {
                return reader.read(digest, length);
            } finally {
                readers.add(reader);
            }
        });
    }

    static byte[] await(TaskContext task, Future<byte[]> data) throws DatastoreException {
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

    /** Waits a moment, so that nobody still reads from a store that its caller closes next; a hung disk is not waited for. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            var unused = threads.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
