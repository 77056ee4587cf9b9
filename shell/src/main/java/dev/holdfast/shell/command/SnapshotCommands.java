package dev.holdfast.shell.command;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.engine.job.ArchiveQueries;
import dev.holdfast.engine.job.KeySource;
import dev.holdfast.engine.job.Listing;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.engine.job.SnapshotChanges;
import dev.holdfast.engine.job.SnapshotItem;
import dev.holdfast.engine.job.SnapshotItem.FileItem;
import dev.holdfast.engine.job.SnapshotItem.Verification;
import dev.holdfast.engine.job.SnapshotQueries;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.TextOutput;
import dev.holdfast.shell.output.TextTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands about snapshots. */
public final class SnapshotCommands {

    @Command(
            name = "snapshot list",
            description = "List snapshots, also of namespaces below.",
            help = "Example:\n  holdfast snapshot list store1 --group vm/100")
    public CommandResult list(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "max-depth", description = Words.MAX_DEPTH) @Nullable Integer maxDepth,
            @Option(longName = "group", description = "Only this group.") @Nullable BackupGroup group)
            throws Exception {
        Listing<SnapshotItem> listing =
                new SnapshotQueries(invocation.engine()).list(name, Scope.of(ns, maxDepth, group));
        TextTable table = new TextTable("ns", "snapshot", "local time", ">size", "state", "owner", "comment");
        for (SnapshotItem item : listing.items()) {
            table.row(
                    item.ns(),
                    item.snapshot(),
                    HumanText.time(item.backupTime()),
                    size(item.size()),
                    state(item),
                    Words.orDash(item.owner()),
                    Words.orEmpty(item.comment()));
        }
        return Words.listing(invocation, listing, listing.items(), out -> out.table(table, "No snapshots."));
    }

    @Command(
            name = "snapshot show",
            description = "Show everything about one snapshot.",
            help = "Example:\n  holdfast snapshot show store1 vm/100/2026-01-31T12:00:00Z")
    public CommandResult show(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        SnapshotQueries queries = new SnapshotQueries(invocation.engine());
        Listing<SnapshotItem> listing = queries.show(name, Scope.namespaceOrRoot(ns), snapshot);
        SnapshotItem item = listing.items().get(0);
        return Words.listing(invocation, listing, item, out -> {
            Verification verification = item.verification();
            out.fields(
                    "Snapshot", item.snapshot(),
                    "Namespace", item.ns().isEmpty() ? null : item.ns(),
                    "Time", HumanText.time(item.backupTime()),
                    "State", state(item),
                    "Size", size(item.size()),
                    "Owner", Words.orDash(item.owner()),
                    "Comment", item.comment(),
                    "Verified", verification == null ? "never" : verification.state() + " by " + verification.upid(),
                    "Key", item.fingerprint());
            out.line("");
            files(out, item.files());
        });
    }

    @Command(
            name = "snapshot files",
            description = "List the files of a snapshot, or the trees in its archives.",
            help =
                    "With --tree, all entries of the directory archives are listed: from the catalogue, or from the archives"
                            + " themselves\nif there is none.\n\n"
                            + "Example:\n  holdfast snapshot files store1 vm/100/2026-01-31T12:00:00Z")
    public CommandResult files(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "tree", description = "List what is in the directory archives.") boolean tree,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        if (tree) {
            KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
            return ArchiveCommands.shown(
                    invocation,
                    new ArchiveQueries(invocation.engine()).tree(name, Scope.namespaceOrRoot(ns), snapshot, key));
        }
        SnapshotQueries queries = new SnapshotQueries(invocation.engine());
        Listing<SnapshotItem> listing = queries.show(name, Scope.namespaceOrRoot(ns), snapshot);
        List<FileItem> found = listing.items().get(0).files();
        return Words.listing(invocation, listing, found, out -> files(out, found));
    }

    private static void files(TextOutput out, List<FileItem> files) {
        TextTable table = new TextTable("file", ">size", "crypt mode");
        files.forEach(file -> table.row(
                file.filename(),
                size(file.size()),
                file.cryptMode() == null ? "-" : file.cryptMode().toString()));
        out.table(table, "No files.");
    }

    @Command(
            name = "snapshot forget",
            description = "Remove a snapshot; its chunks stay until garbage collection.",
            help = "Example:\n  holdfast snapshot forget store1 vm/100/2026-01-31T12:00:00Z")
    public CommandResult forget(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        new SnapshotChanges(invocation.engine()).forget(name, Scope.namespaceOrRoot(ns), snapshot);
        return CommandResult.done(Words.named(name, ns, "snapshot", snapshot), "Forgot " + snapshot + ".");
    }

    @Command(
            name = "snapshot protect",
            description = "Protect a snapshot from prune and forget.",
            help = "Example:\n  holdfast snapshot protect store1 vm/100/2026-01-31T12:00:00Z")
    public CommandResult protect(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        new SnapshotChanges(invocation.engine()).setProtected(name, Scope.namespaceOrRoot(ns), snapshot, true);
        Map<String, Object> json = Words.named(name, ns, "snapshot", snapshot);
        json.put("protected", true);
        return CommandResult.done(json, "Protected " + snapshot + ".");
    }

    @Command(
            name = "snapshot unprotect",
            description = "Let prune and forget remove a snapshot again.",
            help = "Example:\n  holdfast snapshot unprotect store1 vm/100/2026-01-31T12:00:00Z")
    public CommandResult unprotect(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        new SnapshotChanges(invocation.engine()).setProtected(name, Scope.namespaceOrRoot(ns), snapshot, false);
        Map<String, Object> json = Words.named(name, ns, "snapshot", snapshot);
        json.put("protected", false);
        return CommandResult.done(json, snapshot + " is no longer protected.");
    }

    @Command(
            name = "snapshot notes",
            description = "Show the notes of a snapshot, or replace them.",
            help = "Empty text removes the notes.\n\nExample:\n"
                    + "  holdfast snapshot notes store1 vm/100/2026-01-31T12:00:00Z 'before the upgrade'")
    public CommandResult notes(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = "The new notes.") @Nullable String text,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        BackupNamespace namespace = Scope.namespaceOrRoot(ns);
        if (text != null) {
            new SnapshotChanges(invocation.engine()).setNotes(name, namespace, snapshot, text);
        }
        String notes = new SnapshotQueries(invocation.engine()).notes(name, namespace, snapshot);
        Map<String, Object> json = Words.named(name, ns, "snapshot", snapshot);
        json.put("notes", notes);
        return text == null
                ? CommandResult.ok(json, out -> out.line(notes.stripTrailing()))
                : CommandResult.done(json, "Notes of " + snapshot + " are set.");
    }

    private static String size(@Nullable Long size) {
        return size == null ? "-" : HumanText.bytes(size);
    }

    private static String state(SnapshotItem item) {
        Verification verification = item.verification();
        String finished = item.finished() ? "finished" : "unfinished";
        String verified = verification == null ? "" : ", verify " + verification.state();
        return finished + verified + (item.isProtected() ? ", protected" : "");
    }
}
