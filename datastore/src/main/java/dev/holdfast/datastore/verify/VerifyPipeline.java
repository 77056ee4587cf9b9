package dev.holdfast.datastore.verify;

import dev.holdfast.api.config.ChunkOrder;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Readers load chunks, workers check them. Memory is bounded by the number of chunks in flight: one for each reader, two
 * for each worker. One batch at a time, by one thread, which also reports progress and looks for an abort every 100 ms.
 */
final class VerifyPipeline implements AutoCloseable {

    private static final long POLL_MILLIS = 100;

    private final ChunkStore chunks;
    private final ChunkVerifier verifier;
    private final ChunkOrder order;
    private final TaskContext task;
    private final VerifyProgress progress;
    private final ExecutorService readers;
    private final ExecutorService workers;
    private final int inFlight;
    private final Semaphore permits;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    VerifyPipeline(
            ChunkStore chunks,
            ChunkVerifier verifier,
            VerifyOptions options,
            TaskContext task,
            VerifyProgress progress) {
        this.chunks = chunks;
        this.verifier = verifier;
        this.order = options.order();
        this.task = task;
        this.progress = progress;
        this.readers = pool("verify-read-", options.readers());
        this.workers = pool("verify-check-", options.workers());
        this.inFlight = options.readers() + 2 * options.workers();
        this.permits = new Semaphore(inFlight);
    }

    private static ExecutorService pool(String name, int threads) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, name + number.incrementAndGet());
            // A read that hangs must not keep the process alive after an abort.
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Checks chunks; when this returns the ledger has a verdict on each.
     *
     * @param lengths the chunks, with the bytes of progress that each is worth
     */
    void check(Map<ChunkDigest, Long> lengths) throws DatastoreException {
        List<ChunkDigest> digests = List.copyOf(lengths.keySet());
        for (ChunkDigest digest : order == ChunkOrder.INODE ? ordered(digests) : digests) {
            acquire(1);
            readers.execute(() -> read(digest, lengths.getOrDefault(digest, 0L)));
        }
        acquire(inFlight);
        permits.release(inFlight);
        poll();
    }

    /** On a reader's thread: a cold disk takes minutes to look at all inodes, and an abort must not wait for it. */
    private List<ChunkDigest> ordered(List<ChunkDigest> digests) throws DatastoreException {
        Future<List<ChunkDigest>> result = readers.submit(() -> chunks.readOrder(digests));
        while (true) {
            poll();
            try {
                return result.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof DatastoreException reason) {
                    // Order is a hint: reading will tell what is wrong, chunk by chunk.
                    task.warn("chunks are read in index order: " + reason.getMessage());
                    return digests;
                }
                throw new IllegalStateException("ordering chunks failed", e.getCause());
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    private void acquire(int count) throws DatastoreException {
        while (true) {
            poll();
            try {
                if (permits.tryAcquire(count, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    private void poll() throws DatastoreException {
        task.checkAbort();
        throwIfFailed();
        progress.report();
    }

    private static TaskAbortedException interrupted() {
        Thread.currentThread().interrupt();
        return new TaskAbortedException();
    }

    private void read(ChunkDigest digest, long length) {
        DataBlob blob = null;
        boolean handedOver = false;
        try {
            blob = verifier.load(digest);
            if (blob != null) {
                DataBlob loaded = blob;
                workers.execute(() -> checked(digest, loaded, length));
                handedOver = true;
            }
        } catch (RejectedExecutionException e) {
            // Closed meanwhile by an abort: nobody waits for this chunk any more.
            handedOver = false;
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            if (!handedOver) {
                done(length);
            }
        }
    }

    private void checked(ChunkDigest digest, DataBlob blob, long length) {
        try {
            verifier.check(digest, blob);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            done(length);
        }
    }

    private void done(long length) {
        progress.add(length);
        permits.release();
    }

    private void throwIfFailed() {
        Throwable reason = failure.get();
        if (reason != null) {
            throw new IllegalStateException("a verification thread failed: " + reason, reason);
        }
    }

    /** Stops the threads; a call that is under way in one of them ends by itself. */
    @Override
    public void close() {
        readers.shutdownNow();
        workers.shutdownNow();
    }
}
