package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One dry run: a mark that fills a set instead of touching, a sweep that judges and removes nothing, and a second look at
 * the indexes for those chunks that are used and were not seen. For use by one thread.
 */
final class GcDryRun {

    private final GcStore store;
    private final MarkSet used = new MarkSet(new SecureRandom());

    GcDryRun(GcStore store) {
        this.store = store;
    }

    GcReport run(TaskContext task) throws DatastoreException {
        task.log("starting dry run of garbage collection on store " + store.name());
        GcRun run = GcRun.of(task);
        NestedStores nested =
                new NestedStores(store.files(), store.name(), store.layout().root(), store.otherStores());
        nested.check();
        ClockGuard clocks =
                new ClockGuard(store.name(), store.time().clock(), store.time().monotonicNanos());
        ProcessLock lock = store.processLock();
        GcPlan plan = GarbageCollector.plan(store, clocks, lock == null ? OptionalLong.empty() : lock.oldestWriter());
        GcLog.limit(task, plan, store.tuning().gcAtimeCutoffMinutes());

        task.log("Start GC phase1 (mark used chunks)");
        DryMark mark = new DryMark(task, run.progress(), store.tuning().gcCacheCapacity(), used);
        IndexScan scan = new IndexScan(store, IndexScan.Mode.LOOK_ONLY, run, mark, nested);
        scan.scan();
        scan.checkAnchors();
        run.progress().finish();
        boolean addsProbe = countProbe();
        long markMillis = clocks.elapsedMillis();

        task.log("Start GC phase2 (look at all chunks)");
        DrySweep policy = new DrySweep(
                plan, used, store.layout(), store.time().clock(), new SweepFindings(run.warnings(), store.layout()));
        SweepOutcome outcome = store.chunks().sweep(policy, new SweepTask(task, run.warnings()));
        policy.finish(run.warnings());
        reportMissing(run);
        if (addsProbe) {
            policy.figures().count(false, SweepVerdict.KEEP, AtimeSafetyCheck.encodedProbeBytes());
        }
        clocks.check();
        var status = policy.figures().status(task.upid(), run.indexes(), new CacheStats(mark.hits(), mark.misses()));
        GcLog.summary(task, status);
        return new GcReport(
                true,
                status,
                plan.cutoff(),
                List.of(
                        new GcReport.Phase(
                                "mark",
                                markMillis,
                                run.progress().references(),
                                0,
                                run.warnings().count("missing-chunk"),
                                0,
                                0,
                                0),
                        new GcReport.Phase(
                                "sweep",
                                clocks.elapsedMillis() - markMillis,
                                0,
                                0,
                                0,
                                outcome.directoriesOpened(),
                                outcome.seen(),
                                0)),
                new GcReport.Strategy(OptionalInt.empty(), 0, 0),
                run.warnings().list(),
                policy.candidates());
    }

    /** A real run would touch the probe of its safety check, or make it. @return whether it would make it */
    private boolean countProbe() throws DatastoreException {
        if (!store.tuning().gcAtimeSafetyCheck()) {
            return false;
        }
        byte[] probe = AtimeSafetyCheck.PROBE.bytes();
        boolean named = used.contains(probe, 0);
        if (store.chunks().stat(AtimeSafetyCheck.PROBE).isEmpty()) {
            return !named;
        }
        used.add(probe, 0);
        return false;
    }

    /** Finds out which used digests the sweep has not seen, and who names them. */
    private void reportMissing(GcRun run) throws DatastoreException {
        if (used.unseen() == 0) {
            return;
        }
        for (String relative : run.indexes().markedPaths()) {
            run.task().checkAbort();
            try (IndexReader reader =
                    IndexReader.open(store.files(), store.layout().root().resolve(relative))) {
                reader.forEach((records, offset, start, end) -> {
                    if (used.isUnseen(records, offset)) {
                        reportIfMissing(run, ChunkDigest.of(records, offset), relative);
                    }
                });
            } catch (SnapshotMissingException e) {
                run.task().log("index " + relative + " was removed meanwhile");
            }
        }
    }

    private void reportIfMissing(GcRun run, ChunkDigest digest, String index) throws DatastoreException {
        try {
            if (store.chunks().stat(digest).isEmpty()) {
                MarkPhase.warnMissing(run.warnings(), digest, index);
            }
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    digest.toString(),
                    "chunk " + digest + ", which index " + index + " needs, cannot be looked at: " + e.getMessage()
                            + "; a real run would stop here",
                    e);
        }
    }
}
