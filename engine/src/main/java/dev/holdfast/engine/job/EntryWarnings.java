package dev.holdfast.engine.job;

import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.List;

/** Gathers what goes wrong with single entries: all of it into the task's log, the first ones into the result. */
final class EntryWarnings {

    /** Warnings in a result; the task's log has the others. */
    static final int LISTED = 1000;

    private final TaskContext task;
    private final List<EntryWarning> listed = new ArrayList<>();
    private long count;

    EntryWarnings(TaskContext task) {
        this.task = task;
    }

    void add(Enum<?> kind, String path, String detail) {
        EntryWarning warning = EntryWarning.of(kind, path, detail);
        count++;
        if (listed.size() < LISTED) {
            listed.add(warning);
        }
        task.warn(warning.line());
    }

    List<EntryWarning> listed() {
        return List.copyOf(listed);
    }

    long count() {
        return count;
    }
}
