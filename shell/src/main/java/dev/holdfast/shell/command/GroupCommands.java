package dev.holdfast.shell.command;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.engine.job.GroupItem;
import dev.holdfast.engine.job.GroupJobs;
import dev.holdfast.engine.job.Listing;
import dev.holdfast.engine.job.NamespaceJobs;
import dev.holdfast.engine.job.NamespaceJobs.NamespaceItem;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.TextTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands about groups and namespaces. */
public final class GroupCommands {

    @Command(
            name = "group list",
            description = "List groups, also of namespaces below.",
            help = "Example:\n  holdfast group list store1 --ns prod")
    public CommandResult list(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "max-depth", description = Words.MAX_DEPTH) @Nullable Integer maxDepth)
            throws Exception {
        Listing<GroupItem> listing = new GroupJobs(invocation.engine()).list(name, Scope.of(ns, maxDepth, null));
        TextTable table = new TextTable("ns", "group", ">snapshots", "last finished", "owner", "comment");
        for (GroupItem item : listing.items()) {
            table.row(
                    item.ns(),
                    item.group(),
                    item.backupCount(),
                    item.lastBackup() == 0 ? "-" : HumanText.time(item.lastBackup()),
                    Words.orDash(item.owner()),
                    Words.orEmpty(item.comment()));
        }
        return Words.listing(invocation, listing, listing.items(), out -> out.table(table, "No groups."));
    }

    @Command(
            name = "group forget",
            description = "Remove a group with all its snapshots, except protected ones.",
            help = "Exit code 3 if protected snapshots stayed.\n\nExample:\n  holdfast group forget store1 vm/100")
    public CommandResult forget(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.GROUP) BackupGroup group,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        List<String> stayed = new GroupJobs(invocation.engine()).forget(name, Scope.namespaceOrRoot(ns), group);
        stayed.forEach(snapshot -> invocation.warn(snapshot + " is protected and stays"));
        Map<String, Object> json = Words.named(name, ns, "group", group);
        json.put("protected-snapshots", stayed);
        String sentence =
                stayed.isEmpty() ? "Forgot " + group + "." : "Forgot the unprotected snapshots of " + group + ".";
        return CommandResult.done(json, sentence).withWarnings(stayed.size());
    }

    @Command(
            name = "group owner",
            description = "Show the owner of a group, or change it.",
            help = "Example:\n  holdfast group owner store1 vm/100 backup@pbs")
    public CommandResult owner(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.GROUP) BackupGroup group,
            @Argument(index = 2, description = "The new owner, as user@realm or user@realm!token.") @Nullable
                    String owner,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        String now = new GroupJobs(invocation.engine()).owner(name, Scope.namespaceOrRoot(ns), group, owner);
        Map<String, Object> json = Words.named(name, ns, "group", group);
        json.put("owner", now);
        return owner == null
                ? CommandResult.ok(json, out -> out.line(now))
                : CommandResult.done(json, group + " belongs to " + now + " now.");
    }

    @Command(
            name = "group notes",
            description = "Show the notes of a group, or replace them.",
            help = "Empty text removes the notes.\n\nExample:\n  holdfast group notes store1 vm/100 'mail server'")
    public CommandResult notes(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.GROUP) BackupGroup group,
            @Argument(index = 2, description = "The new notes.") @Nullable String text,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns)
            throws Exception {
        String notes = new GroupJobs(invocation.engine()).notes(name, Scope.namespaceOrRoot(ns), group, text);
        Map<String, Object> json = Words.named(name, ns, "group", group);
        json.put("notes", notes);
        return text == null
                ? CommandResult.ok(json, out -> out.line(notes.stripTrailing()))
                : CommandResult.done(json, "Notes of " + group + " are set.");
    }

    @Command(
            name = "namespace list",
            description = "List namespaces.",
            help = "Example:\n  holdfast namespace list store1")
    public CommandResult namespaces(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "max-depth", description = Words.MAX_DEPTH) @Nullable Integer maxDepth)
            throws Exception {
        List<NamespaceItem> items = new NamespaceJobs(invocation.engine()).list(name, Scope.of(ns, maxDepth, null));
        TextTable table = new TextTable("namespace", ">groups");
        items.forEach(item -> table.row(item.ns().isEmpty() ? "(root)" : item.ns(), item.groupCount()));
        return CommandResult.ok(items, out -> out.table(table, "No namespaces."));
    }

    @Command(
            name = "namespace create",
            description = "Make a namespace; its parent must exist.",
            help = "Example:\n  holdfast namespace create store1 prod/web")
    public CommandResult create(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = "The new namespace, for example a/b.") BackupNamespace namespace)
            throws Exception {
        new NamespaceJobs(invocation.engine()).create(name, namespace);
        return CommandResult.done(Map.of("datastore", name, "ns", namespace), "Made namespace " + namespace + ".");
    }

    @Command(
            name = "namespace delete",
            description = "Remove a namespace that holds no groups and no namespaces.",
            help = "Example:\n  holdfast namespace delete store1 prod/web")
    public CommandResult delete(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = "The namespace, for example a/b.") BackupNamespace namespace)
            throws Exception {
        new NamespaceJobs(invocation.engine()).delete(name, namespace);
        return CommandResult.done(Map.of("datastore", name, "ns", namespace), "Removed namespace " + namespace + ".");
    }
}
