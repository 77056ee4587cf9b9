package dev.holdfast.engine.job;

import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.prune.PrunePlan;
import dev.holdfast.datastore.prune.PrunePlan.Decision;
import dev.holdfast.datastore.prune.PrunePlan.Mark;
import dev.holdfast.datastore.prune.PrunePlanner;
import dev.holdfast.datastore.prune.PruneRun;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes snapshots by a retention policy, group by group, oldest first. Chunks stay until garbage collection. */
public final class PruneJob {

    private final Engine engine;
    private final ZoneId zone;

    /** Whether anything is removed. */
    public enum Mode {
        RUN,
        DRY_RUN
    }

    /**
     * What was, or would be, done.
     *
     * @param keep the policy, by rule
     * @param snapshots every snapshot with its mark
     * @param removed how many are gone; in a dry run, how many would go
     * @param failed how many should have gone and are still there
     */
    public record Result(
            String datastore,
            String upid,
            boolean dryRun,
            Map<String, Integer> keep,
            List<Item> snapshots,
            long removed,
            long failed,
            List<String> warnings) {}

    /**
     * One snapshot.
     *
     * @param mark {@code keep}, {@code keep-partial}, {@code protected} or {@code remove}
     * @param keep whether it stays
     * @param rule which rule decided
     */
    public record Item(String ns, String snapshot, long backupTime, String mark, boolean keep, String rule) {}

    /** @param zone whose days, weeks, months and years count */
    public PruneJob(Engine engine, ZoneId zone) {
        this.engine = engine;
        this.zone = zone;
    }

    /** @param given the policy; null for the one that the configuration has for the store */
    public Result run(String store, Scope scope, @Nullable KeepOptions given, Mode mode, TaskListener listener)
            throws DatastoreException {
        KeepOptions keep =
                given != null ? given : engine.datastores().get(store).extras().keep();
        AccessMode access = mode == Mode.RUN ? AccessMode.READ_WRITE : AccessMode.READ_ONLY;
        List<Item> items = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        long[] counts = new long[2];
        try (OpenDatastore open = engine.datastores().open(store, access)) {
            String id = store + ":" + scope.namespace() + (scope.group() == null ? "" : ":" + scope.group());
            TaskOutcome<Integer> outcome = engine.tasks().run("prune", id, listener, task -> {
                task.log("retention: " + (keep.keepsSomething() ? keep.toString() : "keep all"));
                if (!keep.keepsSomething()) {
                    warn(
                            task,
                            warnings,
                            "no retention rule is above zero, so everything is kept; give --keep-last,"
                                    + " --keep-daily or the like");
                }
                for (BackupNamespace namespace : namespaces(open, scope)) {
                    for (BackupGroup group : groups(open, namespace, scope)) {
                        task.checkAbort();
                        prune(open, namespace, group, new Run(keep, mode, items, warnings, counts), task);
                    }
                }
                return items.size();
            });
            return new Result(
                    store,
                    outcome.upid().toString(),
                    mode == Mode.DRY_RUN,
                    keep.toMap(),
                    List.copyOf(items),
                    counts[0],
                    counts[1],
                    List.copyOf(warnings));
        }
    }

    /** What one run carries from group to group. */
    private record Run(KeepOptions keep, Mode mode, List<Item> items, List<String> warnings, long[] counts) {}

    private void prune(OpenDatastore open, BackupNamespace namespace, BackupGroup group, Run run, TaskContext task)
            throws DatastoreException {
        PrunePlan plan;
        try {
            plan = PrunePlanner.plan(candidates(open, namespace, group), run.keep(), zone);
        } catch (SnapshotMissingException e) {
            // Forgotten by somebody since it was listed.
            return;
        }
        Set<SnapshotId> going = new HashSet<>();
        plan.removals().forEach(decision -> going.add(decision.snapshot()));
        for (Decision decision : plan.decisions()) {
            run.items().add(item(namespace, decision, going.contains(decision.snapshot())));
        }
        if (run.mode() == Mode.DRY_RUN) {
            run.counts()[0] += going.size();
            return;
        }
        PruneRun.Outcome outcome =
                PruneRun.execute(plan, decision -> open.snapshots().snapshot(namespace, decision.snapshot()), task);
        run.counts()[0] += outcome.removed().size();
        run.counts()[1] += outcome.failed().size();
        outcome.failed().forEach(failed -> run.warnings().add("cannot remove " + failed.snapshot()));
    }

    private static Item item(BackupNamespace namespace, Decision decision, boolean goes) {
        boolean spared = decision.mark() == Mark.REMOVE && !goes;
        return new Item(
                namespace.toString(),
                decision.snapshot().toString(),
                decision.snapshot().time(),
                spared ? Mark.KEEP.toString() : decision.mark().toString(),
                !goes,
                spared ? "keep all" : decision.rule());
    }

    private static List<PrunePlanner.Candidate> candidates(
            OpenDatastore open, BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        List<PrunePlanner.Candidate> candidates = new ArrayList<>();
        for (SnapshotId id : open.snapshots().snapshots(namespace, group)) {
            SnapshotDirectory directory = open.snapshots().snapshot(namespace, id);
            candidates.add(new PrunePlanner.Candidate(
                    id,
                    directory.isFinished() ? PrunePlanner.State.FINISHED : PrunePlanner.State.UNFINISHED,
                    directory.isProtected() ? PrunePlanner.Protection.PROTECTED : PrunePlanner.Protection.UNPROTECTED));
        }
        return candidates;
    }

    private static List<BackupNamespace> namespaces(OpenDatastore open, Scope scope) throws DatastoreException {
        open.requireNamespace(scope.namespace());
        return scope.group() == null
                ? open.snapshots().namespaces(scope.namespace(), scope.maxDepth())
                : List.of(scope.namespace());
    }

    private static List<BackupGroup> groups(OpenDatastore open, BackupNamespace namespace, Scope scope)
            throws DatastoreException {
        BackupGroup only = scope.group();
        if (only == null) {
            return open.snapshots().groups(namespace);
        }
        open.existing(namespace, only);
        return List.of(only);
    }

    private static void warn(TaskContext task, List<String> warnings, String line) {
        warnings.add(line);
        task.warn(line);
    }
}
