package dev.holdfast.datastore.gc;

import dev.holdfast.api.config.GcMarking;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collection of one store: marks what indexes name, removes what is neither marked nor young.
 *
 * <p>The mark is the access time of a chunk's file, or a set of digests in memory ({@code gc-marking}). Phase 1 reads every
 * index and touches every chunk that is named, or puts its digest into the set; phase 2 removes files that are not in the
 * set and whose access time is below a cutoff that was fixed before phase 1 began. Writers touch what they insert or use
 * again, so the cutoff, which is never later than the start of the oldest writer, protects what no index names yet.
 *
 * <p>Everything that could hide an index or spoil a mark ends the run before phase 2: see {@link IndexScan}, {@link
 * IndexMarker}, {@link MarkPhase}, {@link AtimeSafetyCheck}, {@link ClockGuard} and {@link NestedStores}. What is removed
 * is decided by {@link Judgement} alone, and done by the store of chunks; nothing here knows what kind of store that is.
 *
 * <p>Safe for use by any thread; one run at a time.
 */
public final class GarbageCollector {

    private final GcStore store;
    private final AtomicBoolean running = new AtomicBoolean();

    public GarbageCollector(GcStore store) {
        this.store = store;
    }

    /** As {@link #run(TaskContext, UsageMode)}, with an estimate of the space in use where that is quicker. */
    public GcReport run(TaskContext task) throws DatastoreException {
        return run(task, UsageMode.ESTIMATED);
    }

    /**
     * Marks, then sweeps, then writes the status file.
     *
     * @throws LockTimeoutException if another run, or another process's writer, is active
     * @throws SafetyException if going on could lose data; nothing has been removed unless the message says so
     * @throws TaskAbortedException if the task was told to stop; the log has the figures so far
     */
    public GcReport run(TaskContext task, UsageMode usage) throws DatastoreException {
        ProcessLock lock = store.processLock();
        if (lock == null) {
            throw new DatastoreException("datastore " + store.name()
                    + " is open for reading only; garbage collection needs to write, a dry run does not");
        }
        if (!running.compareAndSet(false, true)) {
            throw new LockTimeoutException(
                    store.layout().lockFile().toString(),
                    "garbage collection of datastore " + store.name() + " is already running in this process");
        }
        try {
            ProcessLock.Guard guard = lock.acquireExclusive();
            try {
                return collect(lock, task, usage);
            } finally {
                guard.close();
            }
        } finally {
            running.set(false);
        }
    }

    /**
     * Finds what {@link #run} would remove now, and the status that it would report. Writes nothing, touches nothing, needs
     * no lock, works beside backups and on a read-only mount. Writers of other processes are not known to it.
     *
     * @throws SafetyException where a real run would refuse for what the indexes and directories are
     */
    public GcReport dryRun(TaskContext task, UsageMode usage) throws DatastoreException {
        return new GcDryRun(store).run(task, usage);
    }

    /** As {@link #dryRun(TaskContext, UsageMode)}, with an estimate of the space in use where a real run makes one. */
    public GcReport dryRun(TaskContext task) throws DatastoreException {
        return dryRun(task, UsageMode.ESTIMATED);
    }

    private GcReport collect(ProcessLock lock, TaskContext task, UsageMode usage) throws DatastoreException {
        task.log("starting garbage collection on store " + store.name());
        NestedStores nested =
                new NestedStores(store.files(), store.name(), store.layout().root(), store.otherStores());
        nested.check();
        GcRun run = GcRun.of(task, store, store.tuning().gcMarking() == GcMarking.ACCESS_TIME);
        ClockGuard clocks =
                new ClockGuard(store.name(), store.time().clock(), store.time().monotonicNanos());
        GcPlan plan = plan(store, clocks, lock.oldestWriter());
        checkAccessTimes(run, clocks);
        GcLog.limit(task, plan, store.tuning().gcAtimeCutoffMinutes());

        long markBegan = clocks.elapsedMillis();
        UsedChunks used = store.tuning().gcMarking() == GcMarking.MARK_SET ? new UsedChunks() : null;
        Mark mark = mark(run, nested, used);
        GcReport.Phase markFigures = mark.phase(clocks.elapsedMillis() - markBegan);
        probe(run, clocks, mark.someTouched());
        clocks.check();
        clocks.checkWindow(plan);

        GraceFile graceFile = new GraceFile(store);
        Judgement judgement = judgement(store, plan, used, usage, graceFile.load(plan.start(), run.warnings()));
        SweepFigures figures = new SweepFigures();
        GcReport.Phase sweepFigures = sweep(run, clocks, judgement, figures, mark.cacheStats());
        GarbageCollectionStatus status =
                figures.status(task.upid(), run.indexes(), mark.cacheStats(), judgement.sample());
        GcLog.summary(task, status, judgement.sample().estimate());
        graceFile.save(judgement.grace(), run.warnings());
        save(run, status);
        return new GcReport(
                false,
                status,
                plan.cutoff(),
                List.of(markFigures.withMissing(run.warnings().count("missing-chunk")), sweepFigures),
                mark.strategy(),
                run.warnings().list(),
                List.of(),
                judgement.sample().estimate(),
                judgement.removable());
    }

    /** @param used the set of used chunks; null where the marks are in the access times */
    static Judgement judgement(
            GcStore store, GcPlan plan, @Nullable UsedChunks used, UsageMode usage, GraceBook grace) {
        UsageSample sample = used == null || usage == UsageMode.EXACT
                ? UsageSample.everything()
                : UsageSample.of(used.size(), new SecureRandom());
        return new Judgement(plan, used, sample, grace, store.chunks());
    }

    static GcPlan plan(GcStore store, ClockGuard clocks, OptionalLong oldestWriter) {
        return GcPlan.of(clocks.startSeconds(), oldestWriter, store.tuning().gcAtimeCutoffMinutes());
    }

    private void checkAccessTimes(GcRun run, ClockGuard clocks) throws DatastoreException {
        if (store.tuning().gcAtimeSafetyCheck()) {
            AtimeSafetyCheck check = new AtimeSafetyCheck(
                    store.name(), store.chunks(), store.time().sleeper());
            try {
                clocks.checkProbe(AtimeSafetyCheck.PROBE.toString(), check.check(run.task()));
            } catch (SafetyException e) {
                // A clock that is set during the check looks like access times that are not kept.
                clocks.check();
                throw e;
            }
            run.task().log("access times are kept, the check passed");
        } else {
            run.warnings()
                    .add(
                            "access-time-check-off",
                            "",
                            "gc-atime-safety-check is off: nobody made sure that this filesystem keeps access times; if"
                                    + " it does not, this run removes chunks in use");
        }
    }

    private Mark mark(GcRun run, NestedStores nested, @Nullable UsedChunks used) throws DatastoreException {
        run.task().log("Start GC phase1 (mark used chunks)");
        Mark mark = used != null
                ? new SetMark(run, used, OptionalInt.empty())
                : new MarkPhase(
                        store.name(),
                        new MarkPhase.Tools(store.chunks(), run.task(), run.warnings(), run.indexes(), run.progress()),
                        store.tuning().gcCacheCapacity(),
                        store.tuning().gcPrefetchBatchSize());
        try {
            IndexScan scan = new IndexScan(store, IndexScan.Mode.RUN, run, mark, nested);
            scan.scan();
            mark.finish();
            scan.checkAnchors();
            run.progress().finish();
            if (used != null && store.tuning().gcAtimeSafetyCheck()) {
                // The check has made or touched it, so it is in use whether or not an index names it.
                used.add(AtimeSafetyCheck.PROBE.bytes(), 0);
            }
            return mark;
        } catch (DatastoreException e) {
            run.task().log("stopped in phase 1: " + mark.soFar() + "; nothing has been removed");
            throw e;
        }
    }

    /** Looks once more, after the mark, whether marks are as young as our clock says. */
    private void probe(GcRun run, ClockGuard clocks, @Nullable ChunkDigest touched) throws DatastoreException {
        boolean checked = store.tuning().gcAtimeSafetyCheck();
        ChunkDigest probe = touched == null && checked ? AtimeSafetyCheck.PROBE : touched;
        if (probe == null) {
            return;
        }
        Optional<ChunkStat> before;
        Optional<ChunkStat> after;
        try {
            before = store.chunks().stat(probe);
            store.chunks().touch(new SingleDigest(probe), run.task());
            after = store.chunks().stat(probe);
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    probe.toString(),
                    "chunk " + probe + " could not be touched again after the mark: " + e.getMessage()
                            + "; nothing has been removed",
                    e);
        }
        if (after.isEmpty()) {
            return;
        }
        if (!checked && before.isPresent() && sameAccess(before.get(), after.get())) {
            long age = Math.floorDiv(store.time().clock().millis(), 1000L)
                    - after.get().accessSeconds();
            if (age > ClockGuard.TOLERANCE_SECONDS) {
                run.warnings()
                        .add(
                                "access-times-ignored",
                                "",
                                "touching chunk " + probe + " did not change its access time: this filesystem does not"
                                        + " keep access times, and this run will remove chunks in use that are older"
                                        + " than the cutoff. Set gc-atime-safety-check");
                return;
            }
        }
        clocks.checkProbe(probe.toString(), after.get().accessSeconds());
    }

    private static boolean sameAccess(ChunkStat a, ChunkStat b) {
        return a.accessSeconds() == b.accessSeconds() && a.accessNanos() == b.accessNanos();
    }

    private GcReport.Phase sweep(
            GcRun run, ClockGuard clocks, Judgement judgement, SweepFigures figures, CacheStats cache)
            throws DatastoreException {
        run.task().log("Start GC phase2 (sweep unused chunks)");
        long began = clocks.elapsedMillis();
        GcSweep policy = new GcSweep(
                judgement, clocks, store.time().clock(), new SweepFindings(run.warnings(), store.layout()), figures);
        try {
            SweepOutcome outcome = store.chunks().sweep(policy, new SweepTask(run.task(), run.warnings()));
            if (policy.isHalted()) {
                clocks.check();
                throw new SafetyException(store.name(), "the system clock was set during the sweep");
            }
            judgement.reportMissing(store, run);
            return GcReport.Phase.sweep(clocks.elapsedMillis() - began, outcome, figures.removed());
        } catch (DatastoreException e) {
            GarbageCollectionStatus partial =
                    figures.status(run.task().upid(), run.indexes(), cache, judgement.sample());
            run.task()
                    .log("stopped in phase 2, after "
                            + (partial.diskChunks() + partial.pendingChunks() + partial.removedChunks())
                            + " chunks; so far:");
            GcLog.removals(run.task(), partial);
            if (e instanceof TaskAbortedException) {
                throw e;
            }
            String soFar = "; removed so far: " + partial.removedChunks() + " chunks and " + partial.removedBad()
                    + " bad chunks, " + GcLog.size(partial.removedBytes()) + ", none of them in use";
            if (e instanceof SafetyException safety) {
                throw new SafetyException(safety.path(), e.getMessage() + soFar, e);
            }
            throw new DatastoreException("the sweep stopped: " + e.getMessage() + soFar, e);
        }
    }

    /** The work is done whether or not the status can be kept: on a full disk it cannot. */
    private void save(GcRun run, GarbageCollectionStatus status) {
        try {
            store.statusKeeper().save(status);
        } catch (DatastoreException e) {
            run.warnings().add("status-not-saved", ".gc-status", "the status could not be saved: " + e.getMessage());
        }
    }
}
