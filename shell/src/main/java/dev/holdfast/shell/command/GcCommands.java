package dev.holdfast.shell.command;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.engine.job.GcJob;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.TextOutput;
import dev.holdfast.shell.output.TextTable;
import java.util.Locale;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands about garbage collection. */
public final class GcCommands {

    @Command(
            name = "gc run",
            description = "Remove chunks that no index names and that are older than the cutoff.",
            help = "A dry run removes and touches nothing, needs no lock, and names what would go.\n"
                    + "With gc-marking=mark-set, chunks in use are not looked at, and the space that they take is estimated"
                    + " from a sample; --exact-usage looks at all of them.\n"
                    + "Exit codes: 3 with warnings, 11 if a writer or another run is active, 12 if going on could lose"
                    + " data.\n\nExample:\n  holdfast gc run store1 --dry-run")
    public CommandResult run(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "dry-run", description = "Only find what would be removed.") boolean dryRun,
            @Option(longName = "exact-usage", description = "Look at every chunk in use, for the space it takes.")
                    boolean exactUsage)
            throws Exception {
        GcJob.Result result = new GcJob(invocation.engine())
                .run(
                        name,
                        dryRun ? GcJob.Mode.DRY_RUN : GcJob.Mode.RUN,
                        exactUsage ? GcJob.Usage.EXACT : GcJob.Usage.ESTIMATED,
                        invocation.listener());
        return CommandResult.ok(result, out -> text(out, result))
                .withWarnings(result.warnings().size());
    }

    private static void text(TextOutput out, GcJob.Result result) {
        TextTable phases = new TextTable(
                "phase", ">time", ">references", ">touched", ">missing", ">seen", ">looked at", ">removed");
        for (GcJob.Phase phase : result.phases()) {
            phases.row(
                    phase.name(),
                    HumanText.duration(phase.durationMs()),
                    Words.orDash(phase.references()),
                    Words.orDash(phase.touched()),
                    Words.orDash(phase.missing()),
                    Words.orDash(phase.chunksSeen()),
                    Words.orDash(phase.inodesRead()),
                    Words.orDash(phase.removed()));
        }
        out.table(phases, "");
        out.line("");
        out.fields("Cutoff", HumanText.time(result.cutoff()));
        status(out, result.status(), result.dryRun() ? "Would remove" : "Removed");
        if (result.usageEstimate() != null) {
            out.fields(
                    "Estimate",
                    "the space in use comes from a sample of "
                            + result.usageEstimate().sampledChunks() + " chunks, give or take "
                            + HumanText.bytes(result.usageEstimate().errorBytes()) + " (95 %)");
        }
        for (GcJob.Removable hour : result.removable()) {
            out.line("removable from " + HumanText.time(hour.at()) + " on: " + hour.chunks() + " chunks, "
                    + HumanText.bytes(hour.bytes()));
        }
        if (result.candidates() != null) {
            result.candidates().forEach(file -> out.line("would remove " + file));
        }
    }

    private static void status(TextOutput out, GarbageCollectionStatus status, String removed) {
        double factor = status.diskBytes() == 0 ? 1.0 : (double) status.indexDataBytes() / status.diskBytes();
        out.fields(
                removed,
                status.removedChunks() + " chunks, " + status.removedBad() + " bad chunks, "
                        + HumanText.bytes(status.removedBytes()),
                "Pending",
                status.pendingChunks() + " chunks, " + HumanText.bytes(status.pendingBytes()),
                "In use",
                status.diskChunks() + " chunks, " + HumanText.bytes(status.diskBytes()),
                "Original data",
                HumanText.bytes(status.indexDataBytes()) + " in " + status.indexFileCount() + " indexes",
                "Deduplication",
                String.format(Locale.ROOT, "%.2f", factor),
                "Bad chunks kept",
                status.stillBad() == 0 ? null : status.stillBad(),
                "Digest cache",
                status.cacheStats()
                        .map(cache -> cache.hits() + " hits, " + cache.misses() + " misses")
                        .orElse(null));
    }

    @Command(
            name = "gc status",
            description = "Show the figures of the last successful garbage collection.",
            help = "Example:\n  holdfast gc status store1 --output json")
    public CommandResult status(Invocation invocation, @Argument(index = 0, description = Words.STORE) String name)
            throws Exception {
        GarbageCollectionStatus status = new GcJob(invocation.engine()).status(name);
        return CommandResult.ok(status, out -> {
            if (status.upid().isEmpty() && status.indexFileCount() == 0 && status.diskChunks() == 0) {
                out.line("No garbage collection has finished yet.");
            } else {
                out.fields("Task", status.upid().orElse(null));
                status(out, status, "Removed");
            }
        });
    }
}
