package dev.holdfast.shell.command;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.engine.job.BackupDirJob;
import dev.holdfast.engine.job.KeySource;
import dev.holdfast.engine.job.RestoreDirJob;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.HumanText;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands that back up and restore directory trees. */
public final class DirCommands {

    static final String ARCHIVE = "Name of the archive, as 'snapshot files' lists it; .pxar.didx may be left out.";

    @Command(
            name = "backup dir",
            description = "Back up a directory tree.",
            help =
                    "The tree becomes an archive and a catalogue. Chunks that the store has already are not stored again.\n"
                            + "What cannot be read, vanishes or changes meanwhile is reported, and the exit code is 3; the rest is"
                            + " backed up.\nHow much there is to read is not known before, so progress has no end in sight.\n"
                            + "Patterns: *.tmp, /cache, a/**/b, dir/ for directories only, !keep to include again. Files named"
                            + " .pxarexclude\nin the tree hold further patterns, one a line.\n\n"
                            + "Example:\n  holdfast backup dir store1 host/web1 / --exclude /var/cache --archive root")
    public CommandResult backup(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.GROUP) BackupGroup group,
            @Argument(index = 2, description = "The directory.") Path directory,
            @Option(longName = "archive", description = "Name of the archive. Default: root.") @Nullable String archive,
            @Option(longName = "exclude", description = "Leave out what matches; may be given several times.")
                    List<String> pattern,
            @Option(
                            longName = "all-filesystems",
                            description = "Enter directories on which other filesystems are mounted.")
                    boolean allFilesystems,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "time", description = Words.TIME) @Nullable String time,
            @Option(longName = "notes", description = "Notes of the snapshot.") @Nullable String notes,
            @Option(longName = "keyfile", description = "Key file, made by 'key create'.") @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd,
            @Option(longName = "crypt-mode", description = Words.CRYPT_MODE) @Nullable CryptMode cryptMode)
            throws Exception {
        BackupDirJob.Mounts mounts = allFilesystems ? BackupDirJob.Mounts.CROSS : BackupDirJob.Mounts.STAY;
        BackupDirJob.Result result = new BackupDirJob(invocation.engine())
                .run(
                        new BackupDirJob.Request(
                                name,
                                Scope.namespaceOrRoot(ns),
                                group,
                                Words.seconds(time),
                                new BackupDirJob.Source(directory, pattern, mounts),
                                archiveName(archive == null ? "root" : archive),
                                notes,
                                new KeySource(keyfile, cryptMode, Passphrases.of(invocation, passphraseFd))),
                        invocation.listener());
        return CommandResult.ok(
                        result,
                        out -> out.fields(
                                "Snapshot",
                                result.snapshot(),
                                "Archive",
                                result.archive()
                                        + (result.cryptMode() == CryptMode.NONE ? "" : ", " + result.cryptMode()),
                                "Entries",
                                result.entries() + ", files with " + HumanText.bytes(result.fileBytes()),
                                "Size",
                                HumanText.bytes(result.size()) + ", catalogue " + HumanText.bytes(result.catalogSize())
                                        + ", in " + result.chunks() + " chunks",
                                "New",
                                result.newChunks() + " chunks, " + HumanText.bytes(result.newBytes()) + " stored",
                                "Reused",
                                result.reusedChunks() + " chunks",
                                "Time",
                                HumanText.duration(result.durationMs()),
                                "Warnings",
                                result.warningCount() == 0 ? null : result.warningCount()))
                .withWarnings(result.warningCount());
    }

    @Command(
            name = "restore dir",
            description = "Restore a directory archive, or parts of it.",
            help =
                    "TARGET is made if it is missing. Nothing outside of it is written, whatever the archive says.\n"
                            + "What exists is not touched unless --overwrite is given; then directories are entered, and other"
                            + " things replaced.\nMetadata that the privileges do not allow is reported, and the exit code is 3.\n\n"
                            + "Example:\n  holdfast restore dir store1 host/web1/2026-01-31T12:00:00Z root /tmp/web1 --path etc")
    public CommandResult restore(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = ARCHIVE) String archive,
            @Argument(index = 3, description = "The directory to restore into.") Path target,
            @Option(
                            longName = "path",
                            description = "Restore only this entry, with all below it; may be given several times.")
                    List<String> path,
            @Option(longName = "overwrite", description = "Replace what is in the target already.") boolean overwrite,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
        RestoreDirJob.Result result = new RestoreDirJob(invocation.engine())
                .run(
                        new RestoreDirJob.Request(
                                name, Scope.namespaceOrRoot(ns), snapshot, archiveName(archive), path, key),
                        target,
                        overwrite ? RestoreDirJob.Existing.OVERWRITE : RestoreDirJob.Existing.REFUSE,
                        invocation.listener());
        return CommandResult.done(
                        result,
                        "Restored " + result.entries() + " entries of " + result.archive() + " to " + result.target()
                                + ": " + HumanText.bytes(result.fileBytes()) + " in "
                                + HumanText.duration(result.durationMs())
                                + (result.warningCount() == 0 ? "." : ", with " + result.warningCount() + " warnings."))
                .withWarnings(result.warningCount());
    }

    /** {@code root}, {@code root.pxar} and {@code root.pxar.didx} mean the same. */
    static ArchiveName archiveName(String given) throws UsageException {
        try {
            boolean hasExtension = given.matches(".*\\.(fidx|didx|blob|img|pxar|mpxar|ppxar|pcat1|conf|json|key|log)");
            return ArchiveName.ofClientName(hasExtension ? given : given + ".pxar");
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
