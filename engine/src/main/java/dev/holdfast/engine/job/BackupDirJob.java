package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.archive.tree.ArchiveOptions;
import dev.holdfast.archive.tree.ExcludePattern;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Backs up a directory tree: one snapshot with an archive and its catalogue. */
public final class BackupDirJob {

    private final Engine engine;

    /** What to do with a directory on which another filesystem is mounted. */
    public enum Mounts {
        /** Keep the directory, but not what is below it. */
        STAY,
        CROSS
    }

    /**
     * Where from.
     *
     * @param path the directory
     * @param excludes patterns, relative to it
     */
    public record Source(Path path, List<String> excludes, Mounts mounts) {

        ArchiveOptions options() {
            List<ExcludePattern> patterns =
                    excludes.stream().map(ExcludePattern::parse).toList();
            ArchiveOptions usual = ArchiveOptions.DEFAULT;
            ArchiveOptions.Mounts how =
                    mounts == Mounts.CROSS ? ArchiveOptions.Mounts.CROSS : ArchiveOptions.Mounts.STAY;
            return new ArchiveOptions(patterns, how, usual.maximumEntries(), usual.maximumDepth());
        }
    }

    /**
     * What to back up, and where to.
     *
     * @param time of the snapshot, Unix seconds; null for now
     * @param archive name on the server, for example {@code root.pxar.didx}
     * @param notes of the snapshot; null for none
     * @param key how the content is protected
     */
    public record Request(
            String store,
            BackupNamespace namespace,
            BackupGroup group,
            @Nullable Long time,
            Source source,
            ArchiveName archive,
            @Nullable String notes,
            KeySource key) {}

    /**
     * What was backed up.
     *
     * @param entries of the archive, the root included
     * @param fileBytes contents of its files
     * @param size of the archive, bytes
     * @param catalogSize of the catalogue, bytes
     * @param chunks of both
     * @param newChunks chunks that were not in the store
     * @param newBytes what they take there
     * @param reusedChunks chunks that were
     * @param warningCount number of warnings
     * @param warnings the first of them
     */
    public record Result(
            String datastore,
            String upid,
            String ns,
            String snapshot,
            String archive,
            CryptMode cryptMode,
            long entries,
            long fileBytes,
            long size,
            long catalogSize,
            long chunks,
            long newChunks,
            long newBytes,
            long reusedChunks,
            long durationMs,
            long warningCount,
            List<EntryWarning> warnings) {}

    public BackupDirJob(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs as a task; a failure leaves no snapshot. What single entries make impossible is reported, and the backup goes on.
     *
     * @throws IllegalArgumentException if an exclude pattern is none, or the archive's name does not end in .pxar
     */
    public Result run(Request request, TaskListener listener) throws DatastoreException {
        if (!request.archive().text().endsWith(".pxar.didx")) {
            throw new IllegalArgumentException(
                    "the archive of a directory ends in .pxar, not '" + request.archive() + "'");
        }
        ArchiveOptions options = request.source().options();
        requireDirectory(request.source().path());
        KeySource.Key key = request.key().load(engine);
        long start = engine.clock().millis();
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_WRITE)) {
            long time = SnapshotTime.choose(open, request.namespace(), request.group(), request.time(), engine.clock());
            SnapshotId snapshot = new SnapshotId(request.group(), time);
            TaskOutcome<Done> outcome = engine.tasks()
                    .run(
                            "backup",
                            request.store() + ":" + request.group(),
                            listener,
                            task -> backUp(open, request, snapshot, new How(options, key), task));
            Done done = outcome.value();
            ChunkWriter.Counts archive = done.tree().archive();
            ChunkWriter.Counts catalog = done.tree().catalog();
            return new Result(
                    request.store(),
                    outcome.upid().toString(),
                    request.namespace().toString(),
                    snapshot.toString(),
                    request.archive().text(),
                    key.mode(),
                    done.tree().summary().entries(),
                    done.tree().summary().bytes(),
                    archive.bytes,
                    catalog.bytes,
                    archive.chunks + catalog.chunks,
                    archive.newChunks + catalog.newChunks,
                    archive.newBytes + catalog.newBytes,
                    archive.reusedChunks + catalog.reusedChunks,
                    engine.clock().millis() - start,
                    outcome.warnings(),
                    done.warnings());
        }
    }

    private record How(ArchiveOptions options, KeySource.Key key) {}

    private record Done(TreeWriter.Counts tree, List<EntryWarning> warnings) {}

    private void requireDirectory(Path path) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (!engine.files().stat(path.toAbsolutePath(), true, stat)) {
                throw new NoSourceException(path);
            }
        } catch (PosixException e) {
            throw Failure.wrapped(e);
        }
        if (stat.type() != FileType.DIRECTORY) {
            throw new DatastoreException(path + " is not a directory; 'backup image' takes files and devices");
        }
    }

    private Done backUp(OpenDatastore open, Request request, SnapshotId snapshot, How how, TaskContext task)
            throws DatastoreException {
        Path source = request.source().path().toAbsolutePath();
        task.log("starting backup of " + source + " to " + request.store() + ":" + snapshot);
        EntryWarnings warnings = new EntryWarnings(task);
        try (BackupSession session = open.backups().start(request.namespace(), snapshot, engine.user())) {
            TreeWriter writer = new TreeWriter(session, how.key(), warnings, task);
            TreeWriter.Counts counts = writer.write(engine.trees(), source, request.archive(), how.options());
            String notes = request.notes();
            if (notes != null) {
                session.setNotes(notes);
            }
            session.finish(how.key().signingKey());
            task.log(request.archive() + ": " + counts.summary().entries() + " entries, " + counts.archive().bytes
                    + " bytes in " + counts.archive().chunks + " chunks, " + counts.archive().newChunks
                    + " of them new (" + counts.archive().newBytes + " bytes stored)");
            task.log("backup finished " + (warnings.count() == 0 ? "successfully" : "with warnings"));
            return new Done(counts, warnings.listed());
        } catch (IOException e) {
            throw ArchiveFailure.of(e, request.archive().text());
        }
    }
}
