package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.task.TaskContext;

/** What the parts of one run share. */
record GcRun(TaskContext task, GcWarnings warnings, MarkedIndexes indexes, MarkProgress progress) {

    static GcRun of(TaskContext task) {
        return new GcRun(task, new GcWarnings(task), new MarkedIndexes(), new MarkProgress(task));
    }
}
