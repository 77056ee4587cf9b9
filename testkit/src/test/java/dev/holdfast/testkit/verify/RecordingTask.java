package dev.holdfast.testkit.verify;

import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Remembers what it is told, and aborts when asked to. */
final class RecordingTask implements TaskContext {

    static final String UPID = "UPID:node:000002F3:00004B2A:00000007:6553F164:verify:store:root@pam:";

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    volatile long done;
    volatile long total;
    volatile boolean aborted;
    private final String upid;

    RecordingTask(String upid) {
        this.upid = upid;
    }

    RecordingTask() {
        this(UPID);
    }

    @Override
    public void log(String line) {
        lines.add(line);
    }

    @Override
    public void warn(String line) {
        warnings.add(line);
    }

    @Override
    public void progress(String phase, long doneNow, long totalNow, String unit) {
        if (!phase.equals("verify")) {
            return;
        }
        if (doneNow < done) {
            throw new IllegalStateException("progress went back from " + done + " to " + doneNow);
        }
        done = doneNow;
        total = totalNow;
    }

    @Override
    public void checkAbort() throws TaskAbortedException {
        if (aborted) {
            throw new TaskAbortedException();
        }
    }

    @Override
    public String upid() {
        return upid;
    }
}
