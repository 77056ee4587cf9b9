package dev.holdfast.datastore.prune;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.prune.PrunePlan.Decision;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Carries a plan out: removes snapshots, oldest first. */
public final class PruneRun {

    private PruneRun() {}

    /**
     * What a run did.
     *
     * @param removed snapshots that are gone
     * @param failed snapshots that should have gone and are still there, each with a warning in the task's log
     */
    public record Outcome(List<Decision> removed, List<Decision> failed) {}

    /**
     * Removes what the plan says. A snapshot that cannot be removed, for example because it is being read, gets a warning,
     * and the run goes on.
     *
     * @throws TaskAbortedException between two snapshots, if the task was told to stop
     */
    public static Outcome execute(PrunePlan plan, Function<Decision, SnapshotDirectory> directories, TaskContext task)
            throws TaskAbortedException {
        List<Decision> removed = new ArrayList<>();
        List<Decision> failed = new ArrayList<>();
        for (Decision decision : plan.removals()) {
            task.checkAbort();
            try {
                directories.apply(decision).forget();
                removed.add(decision);
                task.log("removed " + decision.snapshot() + " (" + decision.rule() + ")");
            } catch (TaskAbortedException e) {
                throw e;
            } catch (DatastoreException e) {
                failed.add(decision);
                task.warn("cannot remove " + decision.snapshot() + ": " + e.getMessage());
            }
        }
        return new Outcome(List.copyOf(removed), List.copyOf(failed));
    }
}
