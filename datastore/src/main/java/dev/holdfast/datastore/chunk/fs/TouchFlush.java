package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One batch of touches, applied prefix by prefix in ascending order.
 *
 * <p>{@code .chunks} is opened once. A prefix with fewer than {@link #OPEN_FROM} digests in the batch is touched from
 * there, as {@code abcd/<hex>}; any other is opened, and its chunks are touched relative to it, which spares the kernel the
 * lookup of the prefix for each. No directory is listed. At most two descriptors are open at a time, and none after a
 * failure.
 *
 * <p>This is a hot loop: the digests lie in the arrays of the batch, names are written into one array each, and nothing is
 * allocated for a chunk that is there.
 */
final class TouchFlush {

    /**
     * So many digests of one prefix make it worth to open its directory. On a warm cache an open costs as much as it saves
     * in some 20 touches, so a small number makes small batches slower than no batches; see docs/chunks.md for the figures.
     */
    static final int OPEN_FROM = 8;

    /** So many touches pass at most between two looks for an abort. */
    private static final int ABORT_INTERVAL = 256;

    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final TouchBatch batch;
    private final TaskContext task;

    private final byte[] digest = new byte[ChunkDigest.BYTES];
    private final byte[] relative = RelativeName.create();
    private final byte[] hex = new byte[ChunkDigest.HEX_DIGITS];
    private final byte[] prefixName = new byte[4];

    private long touched;
    private long badKept;
    private long opened;
    private int[] absent = new int[0];
    private int absentCount;
    private int sinceAbortCheck;

    TouchFlush(ChunkDirectory directory, ChunkLocks locks, TouchBatch batch, TaskContext task) {
        this.directory = directory;
        this.locks = locks;
        this.batch = batch;
        this.task = task;
    }

    TouchOutcome run(PrefixOrder order) throws DatastoreException {
        try (DirectoryHandle chunks = directory.open()) {
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                int from = order.from(prefix);
                int to = order.to(prefix);
                if (from == to) {
                    continue;
                }
                checkAbort();
                locks.lock(prefix);
                try {
                    if (to - from < OPEN_FROM) {
                        touchFromAbove(chunks, order, from, to);
                    } else {
                        touchInside(chunks, order, from, to);
                    }
                } finally {
                    locks.unlock(prefix);
                }
            }
        }
        int[] positions = Arrays.copyOf(absent, absentCount);
        Arrays.sort(positions);
        return new TouchOutcome(touched, positions, badKept, opened);
    }

    private void touchFromAbove(DirectoryHandle chunks, PrefixOrder order, int from, int to) throws DatastoreException {
        for (int i = from; i < to; i++) {
            int position = order.position(i);
            batch.copyDigest(position, digest, 0);
            RelativeName.write(digest, relative, 0);
            if (touch(chunks, relative)) {
                touched++;
            } else {
                // The name says no more than that something of it is missing; what, the directory itself tells.
                System.arraycopy(relative, relative.length - hex.length, hex, 0, hex.length);
                try (DirectoryHandle prefix = openPrefix(chunks, batch.prefix(position))) {
                    absent(prefix, position);
                }
            }
        }
    }

    private void touchInside(DirectoryHandle chunks, PrefixOrder order, int from, int to) throws DatastoreException {
        try (DirectoryHandle prefix = openPrefix(chunks, batch.prefix(order.position(from)))) {
            for (int i = from; i < to; i++) {
                if (++sinceAbortCheck >= ABORT_INTERVAL) {
                    checkAbort();
                }
                int position = order.position(i);
                batch.copyDigest(position, digest, 0);
                ChunkName.writeHex(digest, 0, hex, 0);
                if (touch(prefix, hex)) {
                    touched++;
                } else {
                    absent(prefix, position);
                }
            }
        }
    }

    private DirectoryHandle openPrefix(DirectoryHandle chunks, int prefix) throws DatastoreException {
        System.arraycopy(ChunkName.prefix(prefix), 0, prefixName, 0, prefixName.length);
        opened++;
        try {
            return chunks.openDirectory(prefixName);
        } catch (PosixException e) {
            throw e.errno() == Errno.ENOENT
                    ? directory.missingPrefix(prefix, e)
                    : directory.failure("a chunk directory cannot be opened", e);
        }
    }

    private boolean touch(DirectoryHandle from, byte[] name) throws DatastoreException {
        try {
            return from.touch(name);
        } catch (PosixException e) {
            throw directory.failure(ChunkDigest.of(digest), "cannot be touched", e);
        }
    }

    /** Notes an absent chunk, whose name is in {@link #hex}, and keeps its bad copies alive. */
    private void absent(DirectoryHandle prefix, int position) throws DatastoreException {
        requireLinked(prefix, position);
        byte[] bad = Arrays.copyOf(hex, hex.length + ChunkName.badSuffix(0).length());
        boolean found = false;
        for (int n = 0; n < FilesystemChunkStore.BAD_COPIES; n++) {
            byte[] suffix = ChunkName.badSuffix(n).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(suffix, 0, bad, hex.length, suffix.length);
            found |= touch(prefix, bad);
        }
        if (found) {
            badKept++;
        }
        if (absentCount == absent.length) {
            absent = Arrays.copyOf(absent, Math.max(16, absent.length * 2));
        }
        absent[absentCount++] = position;
    }

    /** In a directory that was removed while it was open every name is absent; that says nothing of the chunk. */
    private void requireLinked(DirectoryHandle prefix, int position) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            prefix.stat(stat);
        } catch (PosixException e) {
            throw directory.failure("a chunk directory cannot be looked at", e);
        }
        if (stat.links() == 0) {
            throw directory.missingPrefix(batch.prefix(position), null);
        }
    }

    /** Also tells how many chunks still wait: on a cold disk one flush can take hours. */
    private void checkAbort() throws TaskAbortedException {
        sinceAbortCheck = 0;
        task.figure("waiting", batch.size() - touched - absentCount);
        task.checkAbort();
    }
}
