package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;

/** The task as a flush sees it: what it tells of chunks that still wait moves the estimate of the time left. */
record FlushTask(TaskContext task, MarkProgress progress) implements TaskContext {

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
    public void figure(String name, long value) {
        task.figure(name, value);
        if (name.equals("waiting")) {
            progress.flushAdvanced(value);
        }
    }

    @Override
    public void remaining(String phase, long millis) {
        task.remaining(phase, millis);
    }

    @Override
    public void checkAbort() throws TaskAbortedException {
        task.checkAbort();
    }

    @Override
    public String upid() {
        return task.upid();
    }
}
