package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Touches the chunks of a batch. A single one costs one system call on its absolute path. More than one are grouped by
 * prefix and applied directory by directory, see {@link TouchFlush}. Safe for use by any thread.
 */
final class ChunkTouch {

    private static final TouchOutcome NOTHING = new TouchOutcome(0, new int[0], 0, 0);
    private static final TouchOutcome ONE_TOUCHED = new TouchOutcome(1, new int[0], 0, 0);

    private final PosixFiles files;
    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final TouchFlush flush;

    /** The absolute path of a chunk, but for the digits. */
    private final byte[] pattern;

    /** Sort arrays that no flush is using. */
    private final AtomicReference<PrefixOrder> spare = new AtomicReference<>();

    ChunkTouch(PosixFiles files, ChunkDirectory directory, ChunkLocks locks, PrefixWorkers workers) {
        this.files = files;
        this.directory = directory;
        this.locks = locks;
        flush = new TouchFlush(directory, locks, workers);
        byte[] root = (directory.root() + "/").getBytes(StandardCharsets.UTF_8);
        byte[] name = RelativeName.create();
        pattern = Arrays.copyOf(root, root.length + name.length);
        System.arraycopy(name, 0, pattern, root.length, name.length);
    }

    TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        return switch (batch.size()) {
            case 0 -> NOTHING;
            case 1 -> touchOne(batch, task);
            default -> flush(batch, task);
        };
    }

    private TouchOutcome touchOne(TouchBatch batch, TaskContext task) throws DatastoreException {
        task.checkAbort();
        byte[] digest = new byte[ChunkDigest.BYTES];
        batch.copyDigest(0, digest, 0);
        byte[] path = pattern.clone();
        RelativeName.write(digest, path, path.length - RelativeName.BYTES);
        int prefix = batch.prefix(0);
        locks.lock(prefix);
        try {
            if (files.touch(path)) {
                return ONE_TOUCHED;
            }
        } catch (PosixException e) {
            throw directory.failure(ChunkDigest.of(digest), "cannot be touched", e);
        } finally {
            locks.unlock(prefix);
        }
        return flush(batch, task);
    }

    private TouchOutcome flush(TouchBatch batch, TaskContext task) throws DatastoreException {
        PrefixOrder kept = spare.getAndSet(null);
        PrefixOrder order = kept == null ? new PrefixOrder() : kept;
        try {
            order.sort(batch);
            return flush.run(batch, order, task);
        } finally {
            if (order.isSmall()) {
                spare.set(order);
            }
        }
    }
}
