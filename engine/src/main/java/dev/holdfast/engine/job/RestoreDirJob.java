package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.archive.tree.ExistingTargets;
import dev.holdfast.archive.tree.RestoreListener;
import dev.holdfast.archive.tree.RestoreProblem;
import dev.holdfast.archive.tree.RestoreSummary;
import dev.holdfast.archive.tree.TreeRestorer;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Restores a directory archive, or parts of it, below a directory and never outside of it. Every chunk is checked before a
 * byte of it is written; key and signature before anything is.
 */
public final class RestoreDirJob {

    private final Engine engine;

    /**
     * What to restore.
     *
     * @param paths entries with all below them, from the root of the archive; empty for everything
     * @param key the key, if content is encrypted or a signature is to be checked
     */
    public record Request(
            String store,
            BackupNamespace namespace,
            SnapshotId snapshot,
            ArchiveName archive,
            List<String> paths,
            KeySource key) {}

    /** What happens to what is in the target already. */
    public enum Existing {
        REFUSE,
        /** Directories are entered, everything else is replaced by something new. */
        OVERWRITE
    }

    /**
     * What was restored.
     *
     * @param entries including directories that were there and were entered
     * @param fileBytes contents of files
     * @param warningCount number of warnings
     * @param warnings the first of them
     */
    public record Result(
            String datastore,
            String upid,
            String ns,
            String snapshot,
            String archive,
            String target,
            long entries,
            long fileBytes,
            long durationMs,
            long warningCount,
            List<EntryWarning> warnings) {}

    private record Done(RestoreSummary summary, List<EntryWarning> warnings) {}

    public RestoreDirJob(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs as a task. What the privileges do not allow is reported, and the restore goes on; after a failure, what was
     * restored until then stays.
     *
     * @param target a directory, which is made if it is missing (not its parents)
     */
    public Result run(Request request, Path target, Existing existing, TaskListener listener)
            throws DatastoreException {
        requireDirectories(request.archive());
        long start = engine.clock().millis();
        String id = String.format(
                Locale.ROOT,
                "%s:%s/%08X",
                request.store(),
                request.snapshot().group(),
                request.snapshot().time());
        CryptConfig key = request.key().load(engine).key();
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_ONLY)) {
            OpenArchive.Place place = new OpenArchive.Place(request.namespace(), request.snapshot(), request.archive());
            TaskOutcome<Done> outcome = engine.tasks().run("reader", id, listener, task -> {
                task.log("starting restore of " + request.archive() + " of " + request.store() + ":"
                        + request.snapshot() + " to " + target);
                try (OpenArchive archive = OpenArchive.open(open, place, key, task)) {
                    return restore(archive, request, new To(target.toAbsolutePath(), existing), task);
                } catch (IOException e) {
                    throw ArchiveFailure.of(e, request.archive().text());
                }
            });
            return new Result(
                    request.store(),
                    outcome.upid().toString(),
                    request.namespace().toString(),
                    request.snapshot().toString(),
                    request.archive().text(),
                    target.toString(),
                    outcome.value().summary().entries(),
                    outcome.value().summary().bytes(),
                    engine.clock().millis() - start,
                    outcome.warnings(),
                    outcome.value().warnings());
        }
    }

    /** @throws IllegalArgumentException if an archive of this name holds no directory tree */
    static void requireDirectories(ArchiveName name) {
        if (!name.text().endsWith(".pxar.didx") && !name.text().endsWith(".mpxar.didx")) {
            throw new IllegalArgumentException(name
                    + " is no directory archive: these end in .pxar or .mpxar; 'restore image' and 'restore file'"
                    + " take others");
        }
    }

    private record To(Path directory, Existing existing) {}

    private Done restore(OpenArchive archive, Request request, To to, TaskContext task) throws IOException {
        EntryWarnings warnings = new EntryWarnings(task);
        // Parts of an archive are of unknown size.
        long total = request.paths().isEmpty() ? archive.size() : -1;
        task.progress("restore", 0, total, "bytes");
        TreeRestorer restorer = new TreeRestorer(
                archive.reader(),
                to.existing() == Existing.OVERWRITE ? ExistingTargets.OVERWRITE : ExistingTargets.REFUSE,
                new RestoreListener() {
                    @Override
                    public void problem(RestoreProblem problem, String path, String detail) {
                        warnings.add(problem, path, detail);
                    }

                    @Override
                    public void progress(long entries, long bytes) throws IOException {
                        task.checkAbort();
                        task.figure("entries", entries);
                        task.progress("restore", bytes, total, "bytes");
                    }
                });
        RestoreSummary summary = request.paths().isEmpty()
                ? restorer.restore(engine.trees(), to.directory())
                : restorer.restore(
                        engine.trees(),
                        to.directory(),
                        request.paths().stream()
                                .map(path -> path.getBytes(StandardCharsets.UTF_8))
                                .toList());
        task.log("restored " + summary.entries() + " entries, " + summary.bytes() + " bytes");
        return new Done(summary, warnings.listed());
    }
}
