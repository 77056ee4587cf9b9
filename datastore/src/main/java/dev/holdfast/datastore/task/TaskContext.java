package dev.holdfast.datastore.task;

/**
 * What long work needs from whoever runs it. Implementations are safe for use by any thread and never block for long.
 */
public interface TaskContext {

    /** Adds a line to the task's log. */
    void log(String line);

    /** Adds a warning to the task's log and counts it. */
    void warn(String line);

    /**
     * Reports progress; cheap enough to call per item. Calls with another phase or unit start a new measurement.
     *
     * @param phase name of the phase, for example {@code mark}
     * @param done units done so far in this phase
     * @param total units in all, or a negative number while unknown
     * @param unit what is counted: {@code references}, {@code chunks}, {@code bytes}, ...
     */
    void progress(String phase, long done, long total, String unit);

    /**
     * Reports a number to show beside the progress, for example chunks that wait in a batch. Cheap; the last value counts.
     *
     * @param name what is counted
     */
    default void figure(String name, long value) {}

    /**
     * Reports how long a phase is expected to go on, where its counts would mislead: units of different cost. Until it is
     * called for a phase, whoever shows the time left may take it from the counts. Cheap; the last value counts.
     *
     * @param phase as in {@link #progress}
     * @param millis from now on, or negative if it cannot be said
     */
    default void remaining(String phase, long millis) {}

    /**
     * To be called between items of work, at least every 100 ms of it.
     *
     * @throws TaskAbortedException if the task was told to stop
     */
    void checkAbort() throws TaskAbortedException;

    /** The task's id as text, for example for a status file; empty for work outside a task. */
    default String upid() {
        return "";
    }

    /** A context that drops what it is told and never aborts. */
    static TaskContext silent() {
        return SilentTaskContext.INSTANCE;
    }
}
