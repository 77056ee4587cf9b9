package dev.holdfast.datastore.verify;

import dev.holdfast.datastore.task.TaskContext;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Progress of a run in bytes of archive content, of the total that the manifests tell. Adding is safe for any thread;
 * reporting belongs to the thread that runs the job.
 */
final class VerifyProgress {

    private static final String PHASE = "verify";

    private final TaskContext task;
    private final long total;
    private final AtomicLong done = new AtomicLong();

    VerifyProgress(TaskContext task, long total) {
        this.task = task;
        this.total = total;
    }

    void add(long bytes) {
        done.addAndGet(bytes);
    }

    long done() {
        return done.get();
    }

    /** After a file that could not be read through, or lied about its size. */
    void setTo(long bytes) {
        done.set(bytes);
    }

    void report() {
        task.progress(PHASE, Math.min(done.get(), total), total, "bytes");
    }
}
