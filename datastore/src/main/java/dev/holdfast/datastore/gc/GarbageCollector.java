package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;

/** Runs one garbage collection of one store. */
public interface GarbageCollector {

    /**
     * Marks, then sweeps.
     *
     * @throws dev.holdfast.datastore.error.LockTimeoutException if another run, or another process's writer, is active
     * @throws dev.holdfast.datastore.error.SafetyException if going on could lose data; before the sweep nothing has been
     *     removed
     */
    GcReport run(TaskContext task) throws DatastoreException;

    /** Finds what {@link #run} would remove now. Writes nothing, touches nothing, needs no exclusive lock. */
    GcReport dryRun(TaskContext task) throws DatastoreException;
}
