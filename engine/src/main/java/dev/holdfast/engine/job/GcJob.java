package dev.holdfast.engine.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.gc.UsageMode;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Runs garbage collection of one store, or finds what it would remove. */
public final class GcJob {

    /** Name of the phase that marks, in reports. */
    private static final String MARK = "mark";

    private final Engine engine;

    /** How the space in use is found. */
    public enum Usage {
        ESTIMATED,
        EXACT
    }

    /** Whether anything is changed. */
    public enum Mode {
        RUN,
        DRY_RUN
    }

    /**
     * All figures of a run.
     *
     * @param usageEstimate null if the status is exact
     * @param cutoff access time below which a chunk goes, Unix seconds
     * @param removable when what is pending becomes removable, in the order of time
     * @param candidates files that a dry run would remove, relative to the store's root; null for a real run
     */
    public record Result(
            String datastore,
            String upid,
            boolean dryRun,
            GarbageCollectionStatus status,
            @Nullable UsageEstimate usageEstimate,
            long cutoff,
            List<Removable> removable,
            List<Phase> phases,
            Strategy strategy,
            List<Warning> warnings,
            @Nullable List<String> candidates) {}

    /** One phase; what does not apply to it is null. */
    public record Phase(
            String name,
            long durationMs,
            @Nullable Long references,
            @Nullable Long touched,
            @Nullable Long missing,
            @Nullable Long directoriesOpened,
            @Nullable Long chunksSeen,
            @Nullable Long inodesRead,
            @Nullable Long removed) {}

    /**
     * How good {@code disk-bytes} is, where it comes from a sample.
     *
     * @param errorBytes with 95 % certainty the true figure is not further away than this
     */
    public record UsageEstimate(long sampledChunks, long errorBytes) {}

    /**
     * Pending chunks that become removable within one hour.
     *
     * @param at a run that begins then removes them, Unix seconds
     */
    public record Removable(long at, long chunks, long bytes) {}

    /** How chunks were touched; only batched marking has figures. */
    public record Strategy(
            @JsonProperty("gc-prefetch-batch-size") @Nullable
            Integer batchSize,

            @Nullable Long flushes,
            @Nullable Long largestBatch) {}

    /** Something that was found on the way, and how often. */
    public record Warning(
            String kind, @Nullable String digest, @Nullable String index, long count) {}

    public GcJob(Engine engine) {
        this.engine = engine;
    }

    /** @param wanted how the space in use is found where the sweep does not see it anyway */
    public Result run(String store, Mode mode, Usage wanted, TaskListener listener) throws DatastoreException {
        boolean dry = mode == Mode.DRY_RUN;
        UsageMode usage = wanted == Usage.EXACT ? UsageMode.EXACT : UsageMode.ESTIMATED;
        try (OpenDatastore open = engine.datastores().open(store, dry ? AccessMode.READ_ONLY : AccessMode.READ_WRITE)) {
            TaskOutcome<GcReport> outcome = engine.tasks()
                    .run(
                            "garbage_collection",
                            store,
                            listener,
                            task -> dry
                                    ? open.collector().dryRun(task, usage)
                                    : open.collector().run(task, usage));
            GcReport report = outcome.value();
            return new Result(
                    store,
                    outcome.upid().toString(),
                    report.dryRun(),
                    report.status(),
                    report.usageEstimate()
                            .map(e -> new UsageEstimate(e.sampledChunks(), e.errorBytes()))
                            .orElse(null),
                    report.cutoff(),
                    report.removable().stream()
                            .map(r -> new Removable(r.at(), r.chunks(), r.bytes()))
                            .toList(),
                    report.phases().stream()
                            .map(phase -> phase(phase, report.strategy()))
                            .toList(),
                    strategy(report.strategy()),
                    report.warnings().stream().map(GcJob::warning).toList(),
                    report.dryRun() ? report.candidates() : null);
        }
    }

    /** The figures of the last successful run; all zero if there was none. */
    public GarbageCollectionStatus status(String store) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            return open.lastCollection();
        }
    }

    private static Phase phase(GcReport.Phase phase, GcReport.Strategy strategy) {
        boolean marks = phase.name().equals(MARK);
        // Direct marking opens no directories.
        boolean opens = !marks || strategy.batchSize().isPresent();
        return new Phase(
                phase.name(),
                phase.durationMillis(),
                marks ? phase.references() : null,
                marks ? phase.touched() : null,
                marks ? phase.missing() : null,
                opens ? phase.directoriesOpened() : null,
                marks ? null : phase.chunksSeen(),
                marks ? null : phase.inodesRead(),
                marks ? null : phase.removed());
    }

    private static Strategy strategy(GcReport.Strategy strategy) {
        OptionalInt size = strategy.batchSize();
        return size.isPresent()
                ? new Strategy(size.getAsInt(), strategy.flushes(), strategy.largestBatch())
                : new Strategy(null, null, null);
    }

    private static Warning warning(GcReport.Warning warning) {
        return new Warning(warning.kind(), blankToNull(warning.digest()), blankToNull(warning.path()), warning.count());
    }

    private static @Nullable String blankToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
