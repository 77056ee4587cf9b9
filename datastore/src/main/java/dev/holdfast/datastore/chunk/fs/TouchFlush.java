package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One batch of touches, applied prefix by prefix: by one worker in ascending order, by several in as many places at a
 * time, each on its own ranges of prefixes. {@code .chunks} is opened once for all of them.
 */
final class TouchFlush {

    /** So many digests keep a thread busy for long enough to be worth waking. */
    private static final int DIGESTS_PER_WORKER = 1024;

    /** Ranges for each worker: so the last to finish keeps the others waiting for a small part of the flush only. */
    private static final int RANGES_PER_WORKER = 8;

    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final PrefixWorkers workers;

    TouchFlush(ChunkDirectory directory, ChunkLocks locks, PrefixWorkers workers) {
        this.directory = directory;
        this.locks = locks;
        this.workers = workers;
    }

    TouchOutcome run(TouchBatch batch, PrefixOrder order, TaskContext task) throws DatastoreException {
        int size = batch.size();
        int count = Math.max(1, Math.min(workers.limit(), size / DIGESTS_PER_WORKER));
        int[] bounds = order.split(count == 1 ? 1 : count * RANGES_PER_WORKER);
        TouchWorker.Work work = new TouchWorker.Work(batch, order, new AtomicLong(size));
        try (DirectoryHandle chunks = directory.open()) {
            return sum(workers.run(
                    count, bounds, task, context -> new TouchWorker(directory, locks, chunks, work, context)));
        }
    }

    private static TouchOutcome sum(List<TouchWorker> workers) {
        long touched = 0;
        long badKept = 0;
        long opened = 0;
        int[] absent = new int[0];
        for (TouchWorker worker : workers) {
            touched += worker.touched();
            badKept += worker.badKept();
            opened += worker.opened();
            int[] more = worker.absent();
            int length = absent.length;
            absent = Arrays.copyOf(absent, length + more.length);
            System.arraycopy(more, 0, absent, length, more.length);
        }
        Arrays.sort(absent);
        return new TouchOutcome(touched, absent, badKept, opened);
    }
}
