package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work on all cores with results in order: items are submitted by one thread, worked on by several, and their results handed
 * to a sink in the submitter's thread, in the order of submission. A bounded number is under way, which bounds the memory.
 */
final class OrderedPipeline<T> implements AutoCloseable {

    /** How often a waiting submitter looks whether the task was told to stop. */
    private static final long ABORT_CHECK_MILLIS = 50;

    /** Items under way per worker: enough that none waits for the submitter, which reads the source meanwhile. */
    private static final int WINDOW_PER_WORKER = 3;

    /** Takes results, in order. */
    @FunctionalInterface
    interface Sink<T> {
        void accept(T result) throws DatastoreException;
    }

    private final TaskContext task;
    private final Sink<T> sink;
    private final ThreadPoolExecutor workers;
    private final ArrayDeque<Future<T>> underWay = new ArrayDeque<>();
    private final int window;

    OrderedPipeline(String name, TaskContext task, Sink<T> sink) {
        this.task = task;
        this.sink = sink;
        int cores = cores();
        window = window();
        workers = new ThreadPoolExecutor(cores, cores, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Number of workers. */
    static int cores() {
        return Math.max(1, Runtime.getRuntime().availableProcessors());
    }

    /** Largest number of items under way; the submitter's own next item comes on top. */
    static int window() {
        return cores() * WINDOW_PER_WORKER;
    }

    /** Takes an item; first hands over results until there is room. Fails as soon as an earlier item's result failed. */
    void submit(Callable<T> work) throws DatastoreException {
        while (underWay.size() >= window
                || !underWay.isEmpty() && underWay.peek().isDone()) {
            deliver();
        }
        underWay.add(workers.submit(work));
    }

    /** Waits for the oldest item and hands over its result. @return false if nothing is under way */
    boolean deliverOldest() throws DatastoreException {
        if (underWay.isEmpty()) {
            return false;
        }
        deliver();
        return true;
    }

    /** Hands over all results that are still to come. */
    void finish() throws DatastoreException {
        while (!underWay.isEmpty()) {
            deliver();
        }
    }

    private void deliver() throws DatastoreException {
        Future<T> oldest = underWay.peek();
        T result;
        while (true) {
            task.checkAbort();
            try {
                result = oldest.get(ABORT_CHECK_MILLIS, TimeUnit.MILLISECONDS);
                break;
            } catch (TimeoutException e) {
                continue;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TaskAbortedException();
            } catch (ExecutionException e) {
                throw rethrown(e.getCause());
            }
        }
        underWay.remove();
        sink.accept(result);
    }

    private static DatastoreException rethrown(Throwable cause) {
        if (cause instanceof DatastoreException known) {
            return known;
        }
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new DatastoreException(String.valueOf(cause.getMessage()), cause);
    }

    /** Drops what has not begun, and waits for what has: afterwards no worker touches anything. */
    @Override
    public void close() {
        workers.getQueue().clear();
        workers.shutdown();
        boolean interrupted = false;
        while (true) {
            try {
                if (workers.awaitTermination(1, TimeUnit.HOURS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
