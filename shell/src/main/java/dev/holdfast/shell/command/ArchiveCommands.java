package dev.holdfast.shell.command;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.engine.job.ArchiveQueries;
import dev.holdfast.engine.job.KeySource;
import dev.holdfast.engine.job.Listing;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.engine.job.TreeItem;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.TextTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands that look into directory archives. */
public final class ArchiveCommands {

    @Command(
            name = "archive list",
            description = "List a directory of a directory archive.",
            help = "Only what is needed to find the directory is read.\n\n"
                    + "Example:\n  holdfast archive list store1 host/web1/2026-01-31T12:00:00Z root etc")
    public CommandResult list(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = DirCommands.ARCHIVE) String archive,
            @Argument(index = 3, description = "The directory in the archive. Default: its root.") @Nullable
                    String path,
            @Option(longName = "recursive", description = "Also list all directories below.") boolean recursive,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
        Listing<TreeItem> listing = new ArchiveQueries(invocation.engine())
                .list(
                        new ArchiveQueries.Request(
                                name, Scope.namespaceOrRoot(ns), snapshot, DirCommands.archiveName(archive), key),
                        path == null ? "" : path,
                        recursive ? ArchiveQueries.Depth.ALL : ArchiveQueries.Depth.CHILDREN);
        return shown(invocation, listing);
    }

    @Command(
            name = "archive cat",
            description = "Write a file of a directory archive to standard output.",
            help = "Every chunk is checked before a byte of it is written.\n\n"
                    + "Example:\n  holdfast archive cat store1 host/web1/2026-01-31T12:00:00Z root etc/hostname")
    public CommandResult cat(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = DirCommands.ARCHIVE) String archive,
            @Argument(index = 3, description = "The file in the archive.") String path,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        if (invocation.options().json()) {
            throw new UsageException("standard output cannot take the file and a JSON document at once");
        }
        KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
        var unused = new ArchiveQueries(invocation.engine())
                .cat(
                        new ArchiveQueries.Request(
                                name, Scope.namespaceOrRoot(ns), snapshot, DirCommands.archiveName(archive), key),
                        path,
                        invocation.session().data(),
                        invocation.listener());
        return new CommandResult(ExitCode.OK, Map.of(), out -> {});
    }

    /** A listing of entries; columns that nothing fills are left out. */
    static CommandResult shown(Invocation invocation, Listing<TreeItem> listing) {
        List<TreeItem> items = listing.items();
        return Words.listing(invocation, listing, items, out -> {
            boolean detailed = items.stream().anyMatch(item -> item.mode() != null);
            TextTable table = detailed
                    ? new TextTable("type", "mode", ">owner", ">size", "modified", "path")
                    : new TextTable("type", ">size", "modified", "path");
            for (TreeItem item : items) {
                Long size = item.size();
                Long mtime = item.mtime();
                String bytes = size == null ? "-" : HumanText.bytes(size);
                String modified = mtime == null ? "-" : HumanText.time(mtime);
                String path = printable(item.path()) + (item.target() == null ? "" : " -> " + printable(item.target()));
                if (detailed) {
                    String owner = item.uid() == null ? "-" : item.uid() + ":" + item.gid();
                    table.row(item.type(), Words.orDash(item.mode()), owner, bytes, modified, path);
                } else {
                    table.row(item.type(), bytes, modified, path);
                }
            }
            out.table(table, "No entries.");
        });
    }

    /** Names are anybody's bytes: none of them may steer the terminal or break the line. */
    private static String printable(String name) {
        StringBuilder text = new StringBuilder(name.length());
        name.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                text.append(String.format("\\x%02x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text.toString();
    }
}
