package dev.holdfast.engine.task;

/** Watches a task while it runs. Called from the task's own threads: safe for use by any thread, never blocks for long. */
public interface TaskListener {

    /** Called once, before the work begins. */
    default void started(WorkerTask task) {}

    default void log(String line) {}

    default void warning(String line) {}

    /** As {@link dev.holdfast.datastore.task.TaskContext#progress}. */
    default void progress(String phase, long done, long total, String unit) {}

    /** As {@link dev.holdfast.datastore.task.TaskContext#remaining}. */
    default void remaining(String phase, long millis) {}

    /** Called once, after the work has ended in whatever way. */
    default void finished(TaskState state) {}

    /** Ignores everything. */
    static TaskListener none() {
        return new TaskListener() {};
    }
}
