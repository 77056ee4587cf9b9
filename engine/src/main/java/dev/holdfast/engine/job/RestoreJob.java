package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.restore.ContentKey;
import dev.holdfast.datastore.restore.ParallelReader;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Restores one archive of a snapshot: an image or another index as the bytes it stands for, a blob as its content. Every
 * chunk is checked before a byte of it leaves.
 */
public final class RestoreJob {

    private static final int MAX_WORKERS = 32;

    /** Plain bytes that may wait to be written. */
    private static final long BYTES_AHEAD = 64L << 20;

    private final Engine engine;

    /**
     * What to restore.
     *
     * @param key the key, if content is encrypted or a signature is to be checked
     */
    public record Request(
            String store, BackupNamespace namespace, SnapshotId snapshot, ArchiveName archive, KeySource key) {}

    /**
     * What was restored.
     *
     * @param target path of the new file, or {@code -}
     * @param size bytes
     * @param chunks chunks read, 0 for a blob
     */
    public record Result(
            String datastore,
            String upid,
            String ns,
            String snapshot,
            String archive,
            String target,
            long size,
            long chunks,
            long durationMs) {}

    /** Takes the bytes, in order. */
    private interface Sink {
        void write(long position, byte[] data, int length) throws DatastoreException;
    }

    public RestoreJob(Engine engine) {
        this.engine = engine;
    }

    /**
     * Restores into a file, which appears when it is complete.
     *
     * @param replace whether a file of that name is replaced
     */
    public Result toFile(Request request, Path target, boolean replace, TaskListener listener)
            throws DatastoreException {
        RestoreTarget.Existing existing = replace ? RestoreTarget.Existing.REPLACE : RestoreTarget.Existing.REFUSE;
        return run(request, target.toString(), listener, (open, task) -> {
            try (RestoreTarget out = RestoreTarget.create(open.files(), target, existing)) {
                Done done = restore(open, request, task, out::write);
                out.finish(done.size());
                return done;
            } catch (PosixException e) {
                throw Failure.wrapped(e);
            }
        });
    }

    /** Restores into a stream; a failure leaves it short, which the caller must tell. */
    public Result toStream(Request request, OutputStream out, TaskListener listener) throws DatastoreException {
        return run(
                request,
                "-",
                listener,
                (open, task) -> restore(open, request, task, (position, data, length) -> {
                    try {
                        out.write(data, 0, length);
                    } catch (IOException e) {
                        throw new DatastoreException("cannot write to standard output: " + e.getMessage(), e);
                    }
                }));
    }

    private record Done(long size, long chunks) {}

    private interface Work {
        Done run(OpenDatastore open, TaskContext task) throws DatastoreException;
    }

    private Result run(Request request, String target, TaskListener listener, Work work) throws DatastoreException {
        long start = engine.clock().millis();
        String id = String.format(
                Locale.ROOT,
                "%s:%s/%08X",
                request.store(),
                request.snapshot().group(),
                request.snapshot().time());
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_ONLY)) {
            TaskOutcome<Done> outcome = engine.tasks().run("reader", id, listener, task -> work.run(open, task));
            return new Result(
                    request.store(),
                    outcome.upid().toString(),
                    request.namespace().toString(),
                    request.snapshot().toString(),
                    request.archive().text(),
                    target,
                    outcome.value().size(),
                    outcome.value().chunks(),
                    engine.clock().millis() - start);
        }
    }

    private Done restore(OpenDatastore open, Request request, TaskContext task, Sink sink) throws DatastoreException {
        task.log("starting restore of " + request.archive() + " of " + request.store() + ":" + request.snapshot());
        CryptConfig key = request.key().load(engine).key();
        try (SnapshotReader snapshot =
                open.existing(request.namespace(), request.snapshot()).open(key)) {
            Done done = request.archive().isIndex()
                    ? index(open, snapshot, request.archive(), task, sink)
                    : blob(snapshot, request.archive(), sink);
            task.log("restored " + done.size() + " bytes");
            return done;
        }
    }

    private static Done blob(SnapshotReader snapshot, ArchiveName name, Sink sink) throws DatastoreException {
        byte[] content = name.equals(ArchiveName.MANIFEST) ? snapshot.manifest().toJson() : snapshot.blob(name);
        sink.write(0, content, content.length);
        return new Done(content.length, 0);
    }

    private static Done index(
            OpenDatastore open, SnapshotReader snapshot, ArchiveName name, TaskContext task, Sink sink)
            throws DatastoreException {
        try (IndexReader index = snapshot.index(name)) {
            index.checkOrder();
            long size = index.size();
            task.progress("restore", 0, size, "bytes");
            int workers = Math.min(MAX_WORKERS, OrderedPipeline.cores());
            ContentKey key = ContentKey.of(snapshot, name);
            ParallelReader reader =
                    new ParallelReader(open.chunks(), index, key, new ParallelReader.Limits(workers, BYTES_AHEAD));
            reader.forEach(task, (position, data) -> sink.write(position, data, data.length));
            return new Done(size, index.count());
        }
    }
}
