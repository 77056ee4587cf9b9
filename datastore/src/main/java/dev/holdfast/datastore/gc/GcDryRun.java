package dev.holdfast.datastore.gc;

import dev.holdfast.api.config.GcMarking;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.task.TaskContext;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One dry run: a mark that fills a set instead of touching, a sweep that judges and removes nothing, and a second look at
 * the indexes for those chunks that are used and were not seen. For use by one thread.
 */
final class GcDryRun {

    private final GcStore store;
    private final UsedChunks used = new UsedChunks();

    GcDryRun(GcStore store) {
        this.store = store;
    }

    GcReport run(TaskContext task, UsageMode usage) throws DatastoreException {
        task.log("starting dry run of garbage collection on store " + store.name());
        GcRun run = GcRun.of(task, store, false);
        NestedStores nested =
                new NestedStores(store.files(), store.name(), store.layout().root(), store.otherStores());
        nested.check();
        ClockGuard clocks =
                new ClockGuard(store.name(), store.time().clock(), store.time().monotonicNanos());
        ProcessLock lock = store.processLock();
        GcPlan plan = GarbageCollector.plan(store, clocks, lock == null ? OptionalLong.empty() : lock.oldestWriter());
        GcLog.limit(task, plan, store.tuning().gcAtimeCutoffMinutes());

        task.log("Start GC phase1 (mark used chunks)");
        boolean marksInSet = store.tuning().gcMarking() == GcMarking.MARK_SET;
        // A run that marks by access times looks at every chunk, and so does its dry run.
        UsageMode effective = marksInSet ? usage : UsageMode.EXACT;
        Mark mark = new SetMark(
                run,
                used,
                marksInSet ? OptionalInt.empty() : OptionalInt.of(store.tuning().gcCacheCapacity()));
        IndexScan scan = new IndexScan(store, IndexScan.Mode.LOOK_ONLY, run, mark, nested);
        scan.scan();
        mark.finish();
        scan.checkAnchors();
        run.progress().finish();
        CacheStats cache = mark.cacheStats();
        boolean addsProbe = countProbe();
        long markMillis = clocks.elapsedMillis();

        task.log("Start GC phase2 (look at all chunks)");
        Judgement judgement = GarbageCollector.judgement(
                store, plan, used, effective, new GraceFile(store).load(plan.start(), run.warnings()));
        SweepFigures figures = new SweepFigures();
        DrySweep policy = new DrySweep(
                judgement,
                store.layout(),
                store.time().clock(),
                new SweepFindings(run.warnings(), store.layout()),
                figures);
        SweepOutcome outcome = store.chunks().sweep(policy, new SweepTask(task, run.warnings()));
        judgement.reportMissing(store, run);
        if (addsProbe) {
            figures.count(false, SweepVerdict.KEEP, AtimeSafetyCheck.encodedProbeBytes());
        }
        clocks.check();
        var status = figures.status(task.upid(), run.indexes(), cache, judgement.sample());
        GcLog.summary(task, status, judgement.sample().estimate());
        return new GcReport(
                true,
                status,
                plan.cutoff(),
                List.of(
                        mark.phase(markMillis).withMissing(run.warnings().count("missing-chunk")),
                        GcReport.Phase.sweep(clocks.elapsedMillis() - markMillis, outcome, 0)),
                new GcReport.Strategy(OptionalInt.empty(), 0, 0),
                run.warnings().list(),
                policy.candidates(),
                judgement.sample().estimate(),
                judgement.removable());
    }

    /** A real run would touch the probe of its safety check, or make it. @return whether it would make it */
    private boolean countProbe() throws DatastoreException {
        if (!store.tuning().gcAtimeSafetyCheck()) {
            return false;
        }
        byte[] probe = AtimeSafetyCheck.PROBE.bytes();
        boolean named = used.contains(probe);
        if (store.chunks().stat(AtimeSafetyCheck.PROBE).isEmpty()) {
            return !named;
        }
        used.add(probe, 0);
        return false;
    }
}
