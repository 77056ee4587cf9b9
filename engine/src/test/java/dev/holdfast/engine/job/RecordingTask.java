package dev.holdfast.engine.job;

import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told. */
final class RecordingTask implements TaskContext {

    final List<String> warnings = new CopyOnWriteArrayList<>();
    volatile boolean abort;
    volatile long done;

    @Override
    public void log(String line) {}

    @Override
    public void warn(String line) {
        warnings.add(line);
    }

    @Override
    public void progress(String phase, long units, long total, String unit) {
        done = units;
    }

    @Override
    public void checkAbort() throws TaskAbortedException {
        if (abort) {
            throw new TaskAbortedException();
        }
    }
}
