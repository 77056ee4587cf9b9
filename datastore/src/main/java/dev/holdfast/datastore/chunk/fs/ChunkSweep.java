package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Walks the prefix directories in order, looks at every file that has the name of a chunk, a bad chunk or an expected
 * mark, and removes what the policy says. The lock of a prefix is held while its directory is walked, so nothing is
 * inserted or touched between the look at a file and its removal. One use, one thread.
 */
final class ChunkSweep {

    private static final int ABORT_CHECK = 64;

    private final PosixFiles files;
    private final Path chunks;
    private final ChunkLocks locks;
    private final FileEntry view = new FileEntry();
    private long seen;
    private long skipped;
    private long opened;

    ChunkSweep(PosixFiles files, Path chunks, ChunkLocks locks) {
        this.files = files;
        this.chunks = chunks;
        this.locks = locks;
    }

    SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        long missing = 0;
        try (DirectoryHandle top = files.openDirectory(chunks)) {
            BitSet present = presentPrefixes(top);
            missing = DatastoreLayout.PREFIXES - present.cardinality();
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                if (!present.get(prefix)) {
                    continue;
                }
                task.checkAbort();
                task.progress("sweep", prefix, DatastoreLayout.PREFIXES, "directories");
                locks.lock(prefix);
                try (DirectoryHandle directory = top.openDirectory(ChunkName.prefix(prefix))) {
                    opened++;
                    view.enter(prefix, directory.path());
                    sweepDirectory(directory, policy, task);
                } catch (PosixException e) {
                    if (e.errno() != Errno.ENOENT || !isMissing(top, prefix)) {
                        throw e;
                    }
                    missing++;
                } finally {
                    locks.unlock(prefix);
                }
            }
        } catch (PosixException e) {
            throw FilesystemChunkStore.failure("the sweep stopped", e);
        }
        task.progress("sweep", DatastoreLayout.PREFIXES, DatastoreLayout.PREFIXES, "directories");
        if (missing > 0) {
            task.log(missing + " of 65536 prefix directories below " + chunks + " are missing");
        }
        return new SweepOutcome(seen, skipped, opened);
    }

    /**
     * The prefix directories that there are. What has the name of one and is none stops the sweep before the first file is
     * removed: it says that this filesystem has lost more than a chunk. A directory that is made later is left for the
     * next sweep.
     */
    private BitSet presentPrefixes(DirectoryHandle top) throws PosixException {
        BitSet present = new BitSet(DatastoreLayout.PREFIXES);
        DirectoryEntry entry;
        while ((entry = top.next()) != null) {
            if (!ChunkName.isPrefix(entry.name())) {
                continue;
            }
            if (entry.type() != FileType.DIRECTORY) {
                // A link to a directory passes, and so does what vanished meanwhile.
                try {
                    top.openDirectory(entry.name()).close();
                } catch (PosixException e) {
                    if (e.errno() != Errno.ENOENT || top.stat(entry.name(), view.stat())) {
                        throw e;
                    }
                }
            }
            present.set(Integer.parseInt(entry.text(), 16));
        }
        return present;
    }

    private boolean isMissing(DirectoryHandle top, int prefix) throws PosixException {
        return !top.stat(ChunkName.prefix(prefix), view.stat());
    }

    private void sweepDirectory(DirectoryHandle directory, SweepPolicy policy, TaskContext task)
            throws PosixException, DatastoreException {
        DirectoryEntry entry;
        int count = 0;
        while ((entry = directory.next()) != null) {
            ChunkName.Kind kind = ChunkName.classify(entry.name());
            if (kind == ChunkName.Kind.OTHER) {
                continue;
            }
            if (++count % ABORT_CHECK == 0) {
                task.checkAbort();
            }
            if (!directory.stat(entry.name(), view.stat())) {
                continue; // gone between listing and looking: somebody set it aside
            }
            if (view.stat().type() != FileType.REGULAR) {
                skipped++;
                task.warn("not a regular file, left alone: " + directory.path() + "/"
                        + new String(entry.name(), StandardCharsets.US_ASCII));
                continue;
            }
            seen++;
            view.set(entry.name(), kind);
            carryOut(directory, policy);
        }
    }

    private void carryOut(DirectoryHandle directory, SweepPolicy policy) throws PosixException {
        SweepVerdict verdict = policy.judge(view);
        if (verdict == SweepVerdict.REMOVE) {
            try {
                var unused = directory.unlink(view.name());
            } catch (PosixException e) {
                policy.failed(view);
                throw e;
            }
        }
        policy.done(view, verdict);
    }
}
