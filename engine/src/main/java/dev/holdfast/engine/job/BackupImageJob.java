package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.PosixException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Backs up a disk image: a file or a block device becomes one snapshot with a fixed index. */
public final class BackupImageJob {

    private final Engine engine;

    /**
     * What to back up, and where to.
     *
     * @param time of the snapshot, Unix seconds; null for now
     * @param archive name on the server, for example {@code drive0.img.fidx}
     * @param notes of the snapshot; null for none
     * @param key how the content is protected
     */
    public record Request(
            String store,
            BackupNamespace namespace,
            BackupGroup group,
            @Nullable Long time,
            Path source,
            ArchiveName archive,
            @Nullable String notes,
            KeySource key) {}

    /**
     * What was backed up.
     *
     * @param size of the image, bytes
     * @param chunks of the image
     * @param newChunks chunks that were not in the store
     * @param newBytes what they take there
     * @param reusedChunks chunks that were
     * @param warnings number of warnings
     */
    public record Result(
            String datastore,
            String upid,
            String ns,
            String snapshot,
            String archive,
            CryptMode cryptMode,
            long size,
            long chunks,
            long newChunks,
            long newBytes,
            long reusedChunks,
            long durationMs,
            long warnings) {}

    public BackupImageJob(Engine engine) {
        this.engine = engine;
    }

    /** Runs as a task; a failure leaves no snapshot. */
    public Result run(Request request, TaskListener listener) throws DatastoreException {
        if (request.archive().kind() != ArchiveName.Kind.FIXED_INDEX) {
            throw new IllegalArgumentException(
                    "the archive of an image ends in .img or .fidx, not '" + request.archive() + "'");
        }
        KeySource.Key key = request.key().load(engine);
        long start = engine.clock().millis();
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_WRITE)) {
            long time = SnapshotTime.choose(open, request.namespace(), request.group(), request.time(), engine.clock());
            SnapshotId snapshot = new SnapshotId(request.group(), time);
            TaskOutcome<ChunkWriter.Counts> outcome = engine.tasks()
                    .run(
                            "backup",
                            request.store() + ":" + request.group(),
                            listener,
                            task -> backUp(open, request, snapshot, key, task));
            ChunkWriter.Counts counts = outcome.value();
            return new Result(
                    request.store(),
                    outcome.upid().toString(),
                    request.namespace().toString(),
                    snapshot.toString(),
                    request.archive().text(),
                    key.mode(),
                    counts.bytes,
                    counts.chunks,
                    counts.newChunks,
                    counts.newBytes,
                    counts.reusedChunks,
                    engine.clock().millis() - start,
                    outcome.warnings());
        }
    }

    private ChunkWriter.Counts backUp(
            OpenDatastore open, Request request, SnapshotId snapshot, KeySource.Key key, TaskContext task)
            throws DatastoreException {
        task.log("starting backup of " + request.source() + " to " + request.store() + ":" + snapshot);
        try (ImageSource source = ImageSource.open(open.files(), request.source());
                BackupSession session = open.backups().start(request.namespace(), snapshot, engine.user())) {
            ImageWriter writer = new ImageWriter(session, key.contentKey());
            ChunkWriter.Counts counts = writer.write(source, request.archive(), key.mode(), task);
            String notes = request.notes();
            if (notes != null) {
                session.setNotes(notes);
            }
            session.finish(key.signingKey());
            task.log(request.archive() + ": " + counts.bytes + " bytes in " + counts.chunks + " chunks, "
                    + counts.newChunks + " of them new (" + counts.newBytes + " bytes stored)");
            task.log("backup finished successfully");
            return counts;
        } catch (PosixException e) {
            throw Failure.wrapped(e);
        }
    }
}
