package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.Optional;

/** What the parts of one run share. */
record GcRun(TaskContext task, GcWarnings warnings, MarkedIndexes indexes, MarkProgress progress) {

    /** @param touches whether the mark touches chunks */
    static GcRun of(TaskContext task, GcStore store, boolean touches) {
        MarkEstimate estimate = new MarkEstimate(store.time().monotonicNanos(), touches, previous(store));
        return new GcRun(task, new GcWarnings(task), new MarkedIndexes(), new MarkProgress(task, estimate));
    }

    /** The figures of the run before are for an estimate only: where they cannot be had, it is made without. */
    private static Optional<GarbageCollectionStatus> previous(GcStore store) {
        try {
            return GcStatusFile.load(store.files(), store.layout());
        } catch (DatastoreException e) {
            return Optional.empty();
        }
    }
}
