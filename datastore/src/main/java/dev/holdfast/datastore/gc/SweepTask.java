package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;

/** The task as the sweep of a store sees it: what the store warns of goes into the report as well. */
record SweepTask(TaskContext task, GcWarnings warnings) implements TaskContext {

    @Override
    public void log(String line) {
        task.log(line);
    }

    @Override
    public void warn(String line) {
        warnings.add("irregular-file", line, line);
    }

    @Override
    public void progress(String phase, long done, long total, String unit) {
        task.progress(phase, done, total, unit);
    }

    @Override
    public void figure(String name, long value) {
        task.figure(name, value);
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
