package dev.holdfast.testkit.gc;

import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.List;

/** Keeps what it is told; aborts when the test says so. */
final class RecordingTask implements TaskContext {

    final List<String> lines = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    long lastDone;
    long lastTotal;
    boolean progressWentWrong;
    volatile boolean abort;

    @Override
    public synchronized void log(String line) {
        lines.add(line);
    }

    @Override
    public synchronized void warn(String line) {
        warnings.add(line);
    }

    @Override
    public synchronized void progress(String phase, long done, long total, String unit) {
        if (phase.equals("mark")) {
            progressWentWrong |= done > total;
            lastDone = done;
            lastTotal = total;
        }
    }

    @Override
    public void checkAbort() throws TaskAbortedException {
        if (abort) {
            throw new TaskAbortedException();
        }
    }

    @Override
    public String upid() {
        return "UPID:test";
    }
}
