package dev.holdfast.shell.command;

import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.engine.job.DatastoreJobs;
import dev.holdfast.engine.job.DatastoreJobs.Adopted;
import dev.holdfast.engine.job.DatastoreJobs.DatastoreFacts;
import dev.holdfast.engine.job.DatastoreJobs.DatastoreItem;
import dev.holdfast.engine.job.DatastoreJobs.ImportResult;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.JsonOutput;
import dev.holdfast.shell.output.TextTable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands about stores as a whole. */
public final class DatastoreCommands {

    private static final String COMMENT = "One line of text.";
    private static final String TUNING = "A tuning option as KEY=VALUE; may be given several times.";

    /** Takes a member away in {@code datastore update}. */
    private static final String NONE = "none";

    @Command(
            name = "datastore create",
            description = "Make a new datastore on disk and configure it.",
            help =
                    "PATH may exist if it is empty. Takes some seconds: 65536 directories are made, and it is proved that"
                            + " the filesystem keeps access times.\n\nExample:\n"
                            + "  holdfast datastore create store1 /mnt/backup/store1 --tuning gc-prefetch-batch-size=1048576")
    public CommandResult create(
            Invocation invocation,
            @Argument(index = 0, description = "Its name: 3 to 32 letters, digits, '_', '.', '-'.") String name,
            @Argument(index = 1, description = "Its root directory.") Path path,
            @Option(longName = "comment", description = COMMENT) @Nullable String comment,
            @Option(longName = "tuning", description = TUNING) List<String> tuning)
            throws Exception {
        DatastoreItem item = new DatastoreJobs(invocation.engine())
                .create(config(name, path, comment, tuning), invocation.listener());
        return CommandResult.done(item, "Made datastore " + item.name() + " at " + item.path() + ".");
    }

    @Command(
            name = "datastore add",
            description = "Configure an existing datastore of Holdfast or PBS; nothing in it is rewritten.",
            help =
                    "Notes on standard error tell what deviates from the layout without making it unusable.\n\nExample:\n  holdfast datastore add store1"
                            + " /mnt/backup/store1")
    public CommandResult add(
            Invocation invocation,
            @Argument(index = 0, description = "Its name: 3 to 32 letters, digits, '_', '.', '-'.") String name,
            @Argument(index = 1, description = "Its root directory.") Path path,
            @Option(longName = "comment", description = COMMENT) @Nullable String comment,
            @Option(longName = "tuning", description = TUNING) List<String> tuning)
            throws Exception {
        Adopted added = new DatastoreJobs(invocation.engine()).adopt(config(name, path, comment, tuning));
        added.notes().forEach(text -> invocation.note("note: " + text));
        DatastoreItem item = added.datastore();
        return CommandResult.done(
                JsonOutput.with(item, "notes", added.notes()), "Added datastore " + name + " at " + item.path() + ".");
    }

    private static DatastoreConfig config(String name, Path path, @Nullable String comment, List<String> tuning)
            throws UsageException {
        DatastoreTuning options = DatastoreTuning.DEFAULTS;
        for (Map.Entry<String, String> entry : Words.assignments(tuning).entrySet()) {
            options = options.with(entry.getKey(), entry.getValue());
        }
        DatastoreConfig plain =
                DatastoreConfig.of(name, path.toAbsolutePath().normalize().toString());
        return plain.withTuning(options).withExtras(plain.extras().withComment(Optional.ofNullable(comment)));
    }

    @Command(
            name = "datastore list",
            description = "List the configured datastores.",
            help = "Example:\n  holdfast datastore list --output json")
    public CommandResult list(Invocation invocation) throws Exception {
        List<DatastoreItem> items = new DatastoreJobs(invocation.engine()).list();
        TextTable table = new TextTable("name", "path", "comment");
        items.forEach(item -> table.row(item.name(), item.path(), Words.orEmpty(item.comment())));
        return CommandResult.ok(
                items, out -> out.table(table, "No datastores yet; 'holdfast datastore create' makes one."));
    }

    @Command(
            name = "datastore show",
            description = "Show the configuration, the room and the figures of a datastore.",
            help = "Example:\n  holdfast datastore show store1")
    public CommandResult show(Invocation invocation, @Argument(index = 0, description = Words.STORE) String name)
            throws Exception {
        DatastoreFacts facts = new DatastoreJobs(invocation.engine()).show(name);
        DatastoreItem config = facts.config();
        return CommandResult.ok(facts, out -> {
            out.fields(
                    "Name", config.name(),
                    "Path", config.path(),
                    "Comment", config.comment(),
                    "Backend", config.backend(),
                    "Maintenance", config.maintenanceMode(),
                    "GC schedule", config.gcSchedule(),
                    "Keep", config.keep().isEmpty() ? null : config.keep(),
                    "Tuning", config.tuning().isEmpty() ? null : config.tuning(),
                    "Filesystem",
                            HumanText.bytes(facts.total()) + ", " + HumanText.bytes(facts.used()) + " used, "
                                    + HumanText.bytes(facts.avail()) + " free",
                    "Chunks at last GC",
                            facts.gcStatus().diskChunks() + ", "
                                    + HumanText.bytes(facts.gcStatus().diskBytes()));
            TextTable table = new TextTable("type", ">groups", ">snapshots");
            facts.counts().forEach((type, count) -> table.row(type, count.groups(), count.snapshots()));
            out.line("");
            out.table(table, "No backups yet.");
        });
    }

    @Command(
            name = "datastore update",
            description = "Change the configuration of a datastore; 'none' takes a value away.",
            help = "Example:\n  holdfast datastore update store1 --comment 'nightly VMs' --keep-daily 7")
    public CommandResult update(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "comment", description = COMMENT) @Nullable String comment,
            @Option(longName = "gc-schedule", description = "When to collect garbage, a calendar event.") @Nullable
                    String gcSchedule,
            @Option(longName = "maintenance-mode", description = "read-only, offline or none.") @Nullable
                    String maintenanceMode,
            @Option(longName = "keep-last", description = Words.KEEP_LAST) @Nullable String keepLast,
            @Option(longName = "keep-hourly", description = Words.KEEP_HOURLY) @Nullable String keepHourly,
            @Option(longName = "keep-daily", description = Words.KEEP_DAILY) @Nullable String keepDaily,
            @Option(longName = "keep-weekly", description = Words.KEEP_WEEKLY) @Nullable String keepWeekly,
            @Option(longName = "keep-monthly", description = Words.KEEP_MONTHLY) @Nullable String keepMonthly,
            @Option(longName = "keep-yearly", description = Words.KEEP_YEARLY) @Nullable String keepYearly)
            throws Exception {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        change(changes, "comment", comment);
        change(changes, "gc-schedule", gcSchedule);
        if (maintenanceMode != null && !maintenanceMode.equals(NONE)) {
            change(
                    changes,
                    "maintenance-mode",
                    MaintenanceMode.parse(maintenanceMode).toString());
        } else {
            change(changes, "maintenance-mode", maintenanceMode);
        }
        change(changes, "keep.last", count("keep-last", keepLast));
        change(changes, "keep.hourly", count("keep-hourly", keepHourly));
        change(changes, "keep.daily", count("keep-daily", keepDaily));
        change(changes, "keep.weekly", count("keep-weekly", keepWeekly));
        change(changes, "keep.monthly", count("keep-monthly", keepMonthly));
        change(changes, "keep.yearly", count("keep-yearly", keepYearly));
        if (changes.isEmpty()) {
            throw new UsageException("nothing to change; give an option, for example --comment TEXT");
        }
        DatastoreItem item = new DatastoreJobs(invocation.engine()).update(name, changes);
        return CommandResult.done(item, "Updated datastore " + name + ".");
    }

    private static void change(Map<String, @Nullable Object> changes, String key, @Nullable Object value) {
        if (value != null) {
            changes.put(key, value.equals(NONE) ? null : value);
        }
    }

    private static @Nullable Object count(String option, @Nullable String value) {
        if (value == null || value.equals(NONE)) {
            return value;
        }
        return KeepOptions.of(Map.of(option, value)).toMap().values().iterator().next();
    }

    @Command(
            name = "datastore remove",
            description = "Take a datastore out of the configuration, with --destroy-data also off the disk.",
            help = "Example:\n  holdfast datastore remove store1")
    public CommandResult remove(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "destroy-data", description = "Remove all its backups and chunks, for good.")
                    boolean destroyData)
            throws Exception {
        DatastoreJobs jobs = new DatastoreJobs(invocation.engine());
        DatastoreItem item = jobs.get(name);
        List<String> left = List.of();
        if (destroyData) {
            left = jobs.destroy(name, invocation.listener());
        } else {
            jobs.forget(name);
        }
        left.forEach(invocation::warn);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("path", item.path());
        json.put("data-destroyed", destroyData);
        json.put("left-behind", left);
        String sentence = destroyData
                ? "Removed datastore " + name + " and its data."
                : "Removed datastore " + name + " from the configuration; its data is still at " + item.path() + ".";
        return CommandResult.done(json, sentence).withWarnings(left.size());
    }

    @Command(
            name = "datastore import-config",
            description = "Take over the datastores of a datastore.cfg of PBS.",
            help = "Stores whose name is taken are left alone. What is not understood is told, with exit code 3.\n\n"
                    + "Example:\n  holdfast datastore import-config /etc/proxmox-backup/datastore.cfg")
    public CommandResult importConfig(
            Invocation invocation, @Argument(index = 0, description = "The datastore.cfg.") Path file)
            throws Exception {
        ImportResult result = new DatastoreJobs(invocation.engine()).importConfig(file);
        result.warnings().forEach(invocation::warn);
        result.skipped()
                .forEach(name ->
                        invocation.warn("datastore " + name + " is configured already and was left" + " alone"));
        return CommandResult.ok(
                        result, out -> result.added().forEach(name -> out.note("Added datastore " + name + ".")))
                .withWarnings(result.warnings().size() + result.skipped().size());
    }
}
