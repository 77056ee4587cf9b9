package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one store that share long work on its prefix directories.
 *
 * <p>The work is cut into ranges of prefixes. Each worker takes the next range when it has done one, so a worker whose
 * directories are slow, or whose thread the system lets wait, does not hold up the end. The calling thread is the first
 * worker; it does all of the work itself while the others are busy elsewhere. The first failure stops all workers at
 * their next look for an abort, and is what the caller sees.
 *
 * <p>Threads are daemons, started when there is work and ended after a while without. Safe for use by any thread.
 */
final class PrefixWorkers implements AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    private final int limit;
    private final @Nullable ThreadPoolExecutor threads;

    /** What one thread does; made for one run, and used by one thread. */
    interface Worker {
        /** @param to the first prefix that is not meant */
        void run(int from, int to) throws DatastoreException;
    }

    /** @param limit at most so many threads work at a time for one caller, itself included; at least 1 */
    PrefixWorkers(String store, int limit) {
        this.limit = limit;
        if (limit == 1) {
            threads = null;
            return;
        }
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                limit - 1, limit - 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "chunks-" + store + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    int limit() {
        return limit;
    }

    /**
     * Runs workers until all ranges are done, and returns when none of them runs any more.
     *
     * @param count number of workers
     * @param bounds range i goes from bounds[i] to bounds[i + 1]
     * @param maker makes a worker; the context that it is given also aborts when another worker has failed
     * @return the workers, for what they have to tell
     */
    <W extends Worker> List<W> run(int count, int[] bounds, TaskContext task, Function<TaskContext, W> maker)
            throws DatastoreException {
        Run run = new Run(bounds, task);
        List<W> workers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            workers.add(maker.apply(count == 1 ? task : run));
        }
        List<Helper> helpers = new ArrayList<>(count - 1);
        try {
            for (W worker : workers.subList(1, count)) {
                Helper helper = new Helper(run, worker);
                if (!start(helper)) {
                    break;
                }
                helpers.add(helper);
            }
            run.work(workers.get(0));
        } catch (Throwable e) {
            // No thread could be started. Those that were must end before the caller may change what they work on.
            run.failed(e);
            throw e;
        } finally {
            for (Helper helper : helpers) {
                helper.join();
            }
        }
        run.rethrow();
        return workers;
    }

    private boolean start(Helper helper) {
        if (threads == null) {
            return false;
        }
        try {
            threads.execute(helper);
            return true;
        } catch (RejectedExecutionException e) {
            return false; // closed meanwhile; the caller does the work itself
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdown();
        }
    }

    /** A worker in the hands of a thread of the pool, or still waiting for one. */
    private static final class Helper implements Runnable {

        private final Run run;
        private final Worker worker;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(1);

        Helper(Run run, Worker worker) {
            this.run = run;
            this.worker = worker;
        }

        @Override
        public void run() {
            if (taken.compareAndSet(false, true)) {
                try {
                    run.work(worker);
                } finally {
                    done.countDown();
                }
            }
        }

        /** Waits for the end, or sees to it that there is no beginning. An interrupt does not shorten it. */
        void join() {
            boolean interrupted = false;
            while (!taken.compareAndSet(false, true)) {
                try {
                    done.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the workers of one call share. */
    private static final class Run implements TaskContext {

        private final int[] bounds;
        private final TaskContext task;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Run(int[] bounds, TaskContext task) {
            this.bounds = bounds;
            this.task = task;
        }

        void work(Worker worker) {
            try {
                int range;
                while (failure.get() == null && (range = next.getAndIncrement()) < bounds.length - 1) {
                    worker.run(bounds[range], bounds[range + 1]);
                }
            } catch (Throwable e) {
                failed(e);
            }
        }

        void failed(Throwable e) {
            failure.compareAndSet(null, e);
        }

        void rethrow() throws DatastoreException {
            Throwable first = failure.get();
            if (first instanceof DatastoreException e) {
                throw e;
            }
            if (first instanceof RuntimeException e) {
                throw e;
            }
            if (first instanceof Error e) {
                throw e;
            }
        }

        @Override
        public void checkAbort() throws TaskAbortedException {
            if (failure.get() != null) {
                throw new TaskAbortedException();
            }
            task.checkAbort();
        }

        @Override
        public void log(String line) {
            task.log(line);
        }

        @Override
        public void warn(String line) {
            task.warn(line);
        }

        @Override
        public void progress(String phase, long done, long total, String unit) {
            task.progress(phase, done, total, unit);
        }

        @Override
        public void remaining(String phase, long millis) {
            task.remaining(phase, millis);
        }

        @Override
        public void figure(String name, long value) {
            task.figure(name, value);
        }

        @Override
        public String upid() {
            return task.upid();
        }
    }
}
