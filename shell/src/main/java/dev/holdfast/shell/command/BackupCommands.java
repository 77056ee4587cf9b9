package dev.holdfast.shell.command;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.engine.job.BackupImageJob;
import dev.holdfast.engine.job.KeySource;
import dev.holdfast.engine.job.RestoreJob;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.HumanText;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands that back up and restore. */
public final class BackupCommands {

    private static final String ARCHIVE =
            "Name of the archive, as 'snapshot files' lists it; .fidx and the like may be" + " left out.";
    private static final String OVERWRITE = "Replace the target if it exists.";

    @Command(
            name = "backup image",
            description = "Back up a disk image: a file or a block device.",
            help = "The content is cut into chunks of 4 MiB; chunks that the store has already are not stored again.\n"
                    + "A source that becomes shorter or cannot be read ends the backup, and no snapshot is left.\n\n"
                    + "Example:\n  holdfast backup image store1 vm/100 /dev/vg0/vm-100 --archive drive0")
    public CommandResult image(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.GROUP) BackupGroup group,
            @Argument(index = 2, description = "The image.") Path file,
            @Option(longName = "archive", description = "Name of the archive. Default: drive0.") @Nullable
                    String archive,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "time", description = Words.TIME) @Nullable String time,
            @Option(longName = "notes", description = "Notes of the snapshot.") @Nullable String notes,
            @Option(longName = "keyfile", description = "Key file, made by 'key create'.") @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd,
            @Option(longName = "crypt-mode", description = Words.CRYPT_MODE) @Nullable CryptMode cryptMode)
            throws Exception {
        BackupImageJob.Result result = new BackupImageJob(invocation.engine())
                .run(
                        new BackupImageJob.Request(
                                name,
                                Scope.namespaceOrRoot(ns),
                                group,
                                Words.seconds(time),
                                file,
                                imageArchive(archive),
                                notes,
                                new KeySource(keyfile, cryptMode, Passphrases.of(invocation, passphraseFd))),
                        invocation.listener());
        return CommandResult.ok(
                        result,
                        out -> out.fields(
                                "Snapshot",
                                result.snapshot(),
                                "Archive",
                                result.archive(),
                                "Size",
                                HumanText.bytes(result.size()) + " in " + result.chunks() + " chunks",
                                "New",
                                result.newChunks() + " chunks, " + HumanText.bytes(result.newBytes()) + " stored",
                                "Reused",
                                result.reusedChunks() + " chunks",
                                "Time",
                                HumanText.duration(result.durationMs())))
                .withWarnings(result.warnings());
    }

    @Command(
            name = "restore image",
            description = "Restore an image, or any other index as the bytes it stands for.",
            help = "Every chunk is checked. The target appears when it is complete; a failure leaves none.\n"
                    + "TARGET - writes to standard output.\n\n"
                    + "Example:\n  holdfast restore image store1 vm/100/2026-01-31T12:00:00Z drive0 /tmp/drive0.img")
    public CommandResult restoreImage(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = ARCHIVE) String archive,
            @Argument(index = 3, description = "The new file, or - for standard output.") Path target,
            @Option(longName = "overwrite", description = OVERWRITE) boolean overwrite,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        ArchiveName wanted = imageArchive(archive);
        if (!wanted.isIndex()) {
            throw new UsageException(wanted + " is a blob; use 'restore file'");
        }
        KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
        return restore(invocation, request(name, ns, snapshot, wanted, key), target, overwrite);
    }

    @Command(
            name = "restore file",
            description = "Restore a blob, for example a configuration file, as it was.",
            help = "TARGET - writes to standard output.\n\nExample:\n"
                    + "  holdfast restore file store1 vm/100/2026-01-31T12:00:00Z qemu-server.conf.blob 100.conf")
    public CommandResult restoreFile(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = Words.SNAPSHOT) SnapshotId snapshot,
            @Argument(index = 2, description = "Name of the blob, as 'snapshot files' lists it.") ArchiveName file,
            @Argument(index = 3, description = "The new file, or - for standard output.") Path target,
            @Option(longName = "overwrite", description = OVERWRITE) boolean overwrite,
            @Option(longName = "ns", description = Words.NS) @Nullable BackupNamespace ns,
            @Option(longName = "keyfile", description = Words.KEYFILE) @Nullable Path keyfile,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd)
            throws Exception {
        if (file.isIndex()) {
            throw new UsageException(file + " is an index; use 'restore image'");
        }
        KeySource key = new KeySource(keyfile, null, Passphrases.of(invocation, passphraseFd));
        return restore(invocation, request(name, ns, snapshot, file, key), target, overwrite);
    }

    private static RestoreJob.Request request(
            String name, @Nullable BackupNamespace ns, SnapshotId snapshot, ArchiveName archive, KeySource key) {
        return new RestoreJob.Request(name, Scope.namespaceOrRoot(ns), snapshot, archive, key);
    }

    private static CommandResult restore(
            Invocation invocation, RestoreJob.Request request, Path target, boolean overwrite) throws Exception {
        RestoreJob job = new RestoreJob(invocation.engine());
        if (target.toString().equals("-")) {
            if (invocation.options().json()) {
                throw new UsageException("standard output cannot take the file and a JSON document at once");
            }
            job.toStream(request, invocation.session().data(), invocation.listener());
            return new CommandResult(ExitCode.OK, Map.of(), out -> {});
        }
        RestoreJob.Result result = job.toFile(request, target, overwrite, invocation.listener());
        return CommandResult.done(
                result,
                "Restored " + result.archive() + " to " + result.target() + ": " + HumanText.bytes(result.size())
                        + " in " + HumanText.duration(result.durationMs()) + ".");
    }

    /** {@code drive0}, {@code drive0.img} and {@code drive0.img.fidx} mean the same. */
    private static ArchiveName imageArchive(@Nullable String name) throws UsageException {
        String given = name == null ? "drive0" : name;
        try {
            boolean hasExtension = given.matches(".*\\.(fidx|didx|blob|img|pxar|mpxar|ppxar|pcat1|conf|json|key|log)");
            return ArchiveName.ofClientName(hasExtension ? given : given + ".img");
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
