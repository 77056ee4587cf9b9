package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Touches a batch directory by directory: {@code .chunks} is opened once, a prefix directory with at least
 * {@value #OPEN_FROM} digests once, and no directory is listed. At most two descriptors are open. The lock of a prefix is
 * held for its directory alone. One use, one thread.
 */
final class BatchTouch {

    /**
     * From how many digests on a prefix directory is opened instead of being walked through for each of them. An open
     * costs about as much as the saving of four to eight touches on a warm cache.
     */
    static final int OPEN_FROM = 2;

    /** Touches between two looks at the abort flag: well below a tenth of a second even at one disk seek each. */
    private static final int ABORT_CHECK = 16;

    private final PosixFiles files;
    private final Path chunks;
    private final ChunkLocks locks;
    private final TouchNames below = TouchNames.below("");
    private final TouchNames inside = TouchNames.insidePrefix();
    private final FileStat stat = new FileStat();
    private int[] absent = new int[16];
    private int absentCount;
    private long touched;
    private long badKept;
    private long opened;

    BatchTouch(PosixFiles files, Path chunks, ChunkLocks locks) {
        this.files = files;
        this.chunks = chunks;
        this.locks = locks;
    }

    TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        PrefixPartition partition = new PrefixPartition(batch);
        try (DirectoryHandle top = files.openDirectory(chunks)) {
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                int count = partition.end(prefix) - partition.begin(prefix);
                if (count > 0) {
                    task.checkAbort();
                    touchPrefix(batch, partition, prefix, top, task);
                }
            }
        } catch (PosixException e) {
            throw FilesystemChunkStore.failure("cannot touch the chunks of a batch", e);
        }
        int[] positions = Arrays.copyOf(absent, absentCount);
        Arrays.sort(positions);
        return new TouchOutcome(touched, positions, badKept, opened);
    }

    private void touchPrefix(
            TouchBatch batch, PrefixPartition partition, int prefix, DirectoryHandle top, TaskContext task)
            throws PosixException, DatastoreException {
        int begin = partition.begin(prefix);
        int end = partition.end(prefix);
        locks.lock(prefix);
        try {
            if (end - begin < OPEN_FROM) {
                for (int i = begin; i < end; i++) {
                    touchOne(batch, partition.position(i), top, below);
                }
                return;
            }
            try (DirectoryHandle directory = open(top, prefix)) {
                opened++;
                for (int i = begin; i < end; i++) {
                    touchOne(batch, partition.position(i), directory, inside);
                    if ((i - begin) % ABORT_CHECK == ABORT_CHECK - 1) {
                        task.checkAbort();
                    }
                }
            }
        } finally {
            locks.unlock(prefix);
        }
    }

    private DirectoryHandle open(DirectoryHandle top, int prefix) throws PosixException, DatastoreException {
        try {
            return top.openDirectory(ChunkName.prefix(prefix));
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                throw missingPrefix(prefix);
            }
            throw e;
        }
    }

    private void touchOne(TouchBatch batch, int position, DirectoryHandle directory, TouchNames names)
            throws PosixException, DatastoreException {
        byte[] name = names.name(batch, position);
        if (directory.touch(name)) {
            touched++;
            return;
        }
        if (names == below && !directory.stat(names.prefixDirectory(), stat)) {
            throw missingPrefix(batch.prefix(position));
        }
        if (names.touchBad(directory)) {
            badKept++;
        }
        if (absentCount == absent.length) {
            absent = Arrays.copyOf(absent, absentCount * 2);
        }
        absent[absentCount++] = position;
    }

    private DatastoreException missingPrefix(int prefix) {
        return FilesystemChunkStore.missingPrefix(
                chunks + "/" + new String(ChunkName.prefix(prefix), StandardCharsets.US_ASCII));
    }
}
