package dev.holdfast.engine.task;

import dev.holdfast.api.model.Upid;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One run of a job: writes its log, counts its warnings, passes on its progress, and carries the wish to stop. Safe for use
 * by any thread.
 */
public final class WorkerTask implements TaskContext {

    private final Upid upid;
    private final TaskLog log;
    private final TaskListener listener;
    private final AtomicLong warnings = new AtomicLong();
    private volatile boolean abortRequested;

    WorkerTask(Upid upid, TaskLog log, TaskListener listener) {
        this.upid = upid;
        this.log = log;
        this.listener = listener;
    }

    public Upid id() {
        return upid;
    }

    /** Asks the task to stop at its next safe point; returns at once, and may be repeated. */
    public void requestAbort() {
        if (!abortRequested) {
            abortRequested = true;
            log.line("received abort request ...");
        }
    }

    /** Number of warning lines so far. */
    public long warnings() {
        return warnings.get();
    }

    @Override
    public void log(String line) {
        log.line(line);
        listener.log(line);
    }

    @Override
    public void warn(String line) {
        warnings.incrementAndGet();
        log.line(line);
        listener.warning(line);
    }

    @Override
    public void progress(String phase, long done, long total, String unit) {
        listener.progress(phase, done, total, unit);
    }

    @Override
    public void remaining(String phase, long millis) {
        listener.remaining(phase, millis);
    }

    @Override
    public void checkAbort() throws TaskAbortedException {
        if (abortRequested) {
            throw new TaskAbortedException();
        }
    }

    @Override
    public String upid() {
        return upid.toString();
    }
}
