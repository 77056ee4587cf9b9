package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread's part in a flush.
 *
 * <p>A prefix with fewer than {@link #OPEN_FROM} digests in the batch is touched from {@code .chunks}, as
 * {@code abcd/<hex>}; any other is opened, and its chunks are touched relative to it, which spares the kernel the lookup
 * of the prefix for each. No directory is listed. At most one descriptor is open at a time, and none after a failure.
 *
 * <p>This is a hot loop: the digests lie in the arrays of the batch, names are written into one array each, and nothing is
 * allocated for a chunk that is there.
 */
final class TouchWorker implements PrefixWorkers.Worker {

    /**
     * So many digests of one prefix make it worth to open its directory. On a warm cache an open costs as much as it saves
     * in some 20 touches, so a small number makes small batches slower than no batches; see docs/chunks.md for the figures.
     */
    static final int OPEN_FROM = 8;

    /** So many touches pass at most between two looks for an abort: a fifth of a second where each is a seek. */
    private static final int ABORT_INTERVAL = 16;

    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final DirectoryHandle chunks;
    private final Work work;
    private final TaskContext task;

    private final byte[] digest = new byte[ChunkDigest.BYTES];
    private final byte[] relative = RelativeName.create();
    private final byte[] hex = new byte[ChunkDigest.HEX_DIGITS];

    private long touched;
    private long badKept;
    private long opened;
    private int[] absent = new int[0];
    private int absentCount;
    private int sinceAbortCheck;

    /**
     * What the workers of one flush share.
     *
     * @param order the batch in its order
     * @param waiting chunks that have not been looked for yet
     */
    record Work(TouchBatch batch, PrefixOrder order, AtomicLong waiting) {}

    TouchWorker(ChunkDirectory directory, ChunkLocks locks, DirectoryHandle chunks, Work work, TaskContext task) {
        this.directory = directory;
        this.locks = locks;
        this.chunks = chunks;
        this.work = work;
        this.task = task;
    }

    long touched() {
        return touched;
    }

    long badKept() {
        return badKept;
    }

    long opened() {
        return opened;
    }

    /** Positions of absent chunks, in no order. */
    int[] absent() {
        return Arrays.copyOf(absent, absentCount);
    }

    @Override
    public void run(int fromPrefix, int toPrefix) throws DatastoreException {
        PrefixOrder order = work.order();
        for (int prefix = fromPrefix; prefix < toPrefix; prefix++) {
            int from = order.from(prefix);
            int to = order.to(prefix);
            if (from == to) {
                continue;
            }
            checkAbort();
            locks.lock(prefix);
            try {
                if (to - from < OPEN_FROM) {
                    touchFromAbove(from, to);
                } else {
                    touchInside(prefix, from, to);
                }
            } finally {
                locks.unlock(prefix);
            }
        }
        checkAbort();
    }

    private void touchFromAbove(int from, int to) throws DatastoreException {
        for (int i = from; i < to; i++) {
            int position = work.order().position(i);
            work.batch().copyDigest(position, digest, 0);
            RelativeName.write(digest, relative, 0);
            if (touch(chunks, relative)) {
                touched++;
            } else {
                // The name says no more than that something of it is missing; what, the directory itself tells.
                System.arraycopy(relative, relative.length - hex.length, hex, 0, hex.length);
                try (DirectoryHandle prefix = openPrefix(work.batch().prefix(position))) {
                    absent(prefix, position);
                }
            }
            sinceAbortCheck++;
        }
    }

    private void touchInside(int prefix, int from, int to) throws DatastoreException {
        try (DirectoryHandle opened = openPrefix(prefix)) {
            for (int i = from; i < to; i++) {
                if (sinceAbortCheck >= ABORT_INTERVAL) {
                    checkAbort();
                }
                int position = work.order().position(i);
                work.batch().copyDigest(position, digest, 0);
                ChunkName.writeHex(digest, 0, hex, 0);
                if (touch(opened, hex)) {
                    touched++;
                } else {
                    absent(opened, position);
                }
                sinceAbortCheck++;
            }
        }
    }

    private DirectoryHandle openPrefix(int prefix) throws DatastoreException {
        opened++;
        try {
            return chunks.openDirectory(ChunkName.prefix(prefix));
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
            throw directory.missingPrefix(work.batch().prefix(position), null);
        }
    }

    /** Also tells how many chunks still wait: on a cold disk one flush can take hours. */
    private void checkAbort() throws TaskAbortedException {
        task.figure("waiting", work.waiting().addAndGet(-sinceAbortCheck));
        sinceAbortCheck = 0;
        task.checkAbort();
    }
}
