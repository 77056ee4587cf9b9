package dev.holdfast.shell.command;

import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.engine.job.PruneJob;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.engine.job.VerifyJob;
import dev.holdfast.engine.job.VerifyJob.FindingItem;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.TextOutput;
import dev.holdfast.shell.output.TextTable;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Prune and verify. */
public final class MaintenanceCommands {

    @Command(
            name = "prune run",
            description = "Remove snapshots that no retention rule keeps; chunks stay until garbage collection.",
            help = "Without --keep options the rules of the configuration hold ('datastore update --keep-daily 7')."
                    + " Where no rule is above zero everything is kept, with exit code 3.\n\nExample:\n"
                    + "  holdfast prune run store1 --keep-last 3 --keep-daily 7 --dry-run")
    public CommandResult prune(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "keep-last", description = Words.KEEP_LAST) @Nullable Integer keepLast,
            @Option(longName = "keep-hourly", description = Words.KEEP_HOURLY) @Nullable Integer keepHourly,
            @Option(longName = "keep-daily", description = Words.KEEP_DAILY) @Nullable Integer keepDaily,
            @Option(longName = "keep-weekly", description = Words.KEEP_WEEKLY) @Nullable Integer keepWeekly,
            @Option(longName = "keep-monthly", description = Words.KEEP_MONTHLY) @Nullable Integer keepMonthly,
            @Option(longName = "keep-yearly", description = Words.KEEP_YEARLY) @Nullable Integer keepYearly,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "max-depth", description = Words.MAX_DEPTH) @Nullable Integer maxDepth,
            @Option(longName = "group", description = "Only this group.") @Nullable BackupGroup group,
            @Option(longName = "dry-run", description = "Only show what would be removed.") boolean dryRun)
            throws Exception {
        Map<String, Object> counts = new LinkedHashMap<>();
        put(counts, "keep-last", keepLast);
        put(counts, "keep-hourly", keepHourly);
        put(counts, "keep-daily", keepDaily);
        put(counts, "keep-weekly", keepWeekly);
        put(counts, "keep-monthly", keepMonthly);
        put(counts, "keep-yearly", keepYearly);
        PruneJob.Result result = new PruneJob(invocation.engine(), ZoneId.systemDefault())
                .run(
                        name,
                        Scope.of(ns, maxDepth, group),
                        counts.isEmpty() ? null : KeepOptions.of(counts),
                        dryRun ? PruneJob.Mode.DRY_RUN : PruneJob.Mode.RUN,
                        invocation.listener());
        return CommandResult.ok(result, out -> pruneText(out, result))
                .withWarnings(result.warnings().size());
    }

    private static void put(Map<String, Object> counts, String rule, @Nullable Integer count) {
        if (count != null) {
            counts.put(rule, count);
        }
    }

    private static void pruneText(TextOutput out, PruneJob.Result result) {
        TextTable table = new TextTable("ns", "snapshot", "local time", "mark", "rule");
        for (PruneJob.Item item : result.snapshots()) {
            table.row(item.ns(), item.snapshot(), HumanText.time(item.backupTime()), item.mark(), item.rule());
        }
        out.table(table, "No snapshots.");
        out.note((result.dryRun() ? "Would remove " : "Removed ") + result.removed() + " of "
                + result.snapshots().size() + " snapshots.");
    }

    @Command(
            name = "verify run",
            description = "Read and check the chunks and files of snapshots.",
            help = "Damaged chunks are read twice, then set aside, so that the next backup stores them anew; each"
                    + " snapshot's result is kept. With --read-only nothing is written.\n"
                    + "Exit code 13 if damage was found.\n\nExample:\n"
                    + "  holdfast verify run store1 --ignore-verified --outdated-after 30")
    public CommandResult verify(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "snapshot", description = "Only this snapshot.") @Nullable SnapshotId snapshot,
            @Option(longName = "group", description = "Only this group.") @Nullable BackupGroup group,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "max-depth", description = Words.MAX_DEPTH) @Nullable Integer maxDepth,
            @Option(
                            longName = "outdated-after",
                            description = "Leave out snapshots that were verified at most so many days ago.")
                    @Nullable
                    Integer outdatedAfter,
            @Option(
                            longName = "ignore-verified",
                            description = "Leave out snapshots that were verified, whatever the result.")
                    boolean ignoreVerified,
            @Option(longName = "read-only", description = "Write nothing: no results, nothing set aside.")
                    boolean readOnly)
            throws Exception {
        if (snapshot != null && group != null) {
            throw new UsageException("give --snapshot or --group, not both");
        }
        VerifyJob.Result result = new VerifyJob(invocation.engine())
                .run(
                        new VerifyJob.Request(name, Scope.of(ns, maxDepth, group), snapshot),
                        new VerifyJob.Policy(
                                ignoreVerified ? VerifyJob.Skip.VERIFIED : VerifyJob.Skip.NOTHING,
                                outdatedAfter,
                                readOnly ? VerifyJob.Effects.READ_ONLY : VerifyJob.Effects.RECORD),
                        invocation.listener());
        CommandResult shown = CommandResult.ok(result, out -> verifyText(out, result));
        if (result.ok()) {
            return shown;
        }
        return shown.withCode(hasDamage(result) ? ExitCode.DAMAGE : ExitCode.ERROR);
    }

    /** What could not be read or written is an error, but says nothing about the content. */
    private static boolean hasDamage(VerifyJob.Result result) {
        return result.snapshots().stream()
                .flatMap(snapshot -> snapshot.findings().stream())
                .anyMatch(finding -> !finding.kind().startsWith("unreadable")
                        && !finding.kind().equals("not-recorded"));
    }

    private static void verifyText(TextOutput out, VerifyJob.Result result) {
        TextTable table = new TextTable("ns", "snapshot", "state", ">errors");
        result.snapshots()
                .forEach(each -> table.row(
                        each.ns(),
                        each.snapshot(),
                        each.skipped() == null ? each.state() : "skipped: " + each.skipped(),
                        each.errors()));
        out.table(table, "No snapshots.");
        for (VerifyJob.SnapshotResult snapshot : result.snapshots()) {
            for (FindingItem finding : snapshot.findings()) {
                out.line(snapshot.snapshot() + ", " + finding.archive() + ": " + finding.reason());
            }
        }
        for (VerifyJob.BadChunk chunk : result.badChunks()) {
            if (chunk.badCopy() != null) {
                out.line("chunk " + chunk.digest() + " was set aside as " + chunk.badCopy());
            }
        }
        result.errors().forEach(out::line);
        out.line("");
        out.fields(
                "Snapshots",
                result.count("ok") + " ok, " + result.count("failed") + " failed, " + result.count("skipped")
                        + " skipped",
                "Chunks",
                result.chunks() + " checked, " + HumanText.bytes(result.bytes()) + " read in "
                        + HumanText.duration(result.durationMs()),
                "Bad chunks",
                result.corrupt() + result.missing() + result.unreadable() == 0
                        ? null
                        : result.corrupt() + " corrupt, " + result.missing() + " missing, " + result.unreadable()
                                + " unreadable");
    }
}
