package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.SweepEntry;
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
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Walks the prefix directories {@code 0000} to {@code ffff}, several at a time, and every file in them whose name is that of a chunk, a bad
 * chunk or an expected mark; other names are nobody's business here. The lock of the prefix is held for one file at a time.
 *
 * <p>Fails closed: a file or directory that cannot be looked at ends the walk. A missing prefix directory holds no chunks
 * and is only logged.
 */
final class ChunkWalker {

    /** Name of the phase in progress reports. */
    private static final String PHASE = "sweep";

    /** So many entries pass at most between two looks for an abort. */
    private static final int ABORT_INTERVAL = 16;

    /** Prefixes that a worker takes at a time: few enough that all workers end at about the same time. */
    private static final int RANGE = 64;

    private static final int[] RANGES = IntStream.rangeClosed(0, DatastoreLayout.PREFIXES / RANGE)
            .map(i -> i * RANGE)
            .toArray();

    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final PrefixWorkers workers;

    ChunkWalker(ChunkDirectory directory, ChunkLocks locks, PrefixWorkers workers) {
        this.directory = directory;
        this.locks = locks;
        this.workers = workers;
    }

    SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        try (DirectoryHandle chunks = directory.open()) {
            BitSet present = presentPrefixes(chunks);
            for (int prefix = present.nextClearBit(0);
                    prefix < DatastoreLayout.PREFIXES;
                    prefix = present.nextClearBit(prefix + 1)) {
                policy.absentPrefix(prefix);
            }
            AtomicInteger done = new AtomicInteger();
            List<Walk> walks = workers.run(
                    workers.limit(), RANGES, task, context -> new Walk(chunks, present, done, policy, context));
            return sum(walks, task);
        }
    }

    private SweepOutcome sum(List<Walk> walks, TaskContext task) {
        long seen = 0;
        long looked = 0;
        long skipped = 0;
        long opened = 0;
        int missing = 0;
        int firstMissing = DatastoreLayout.PREFIXES;
        for (Walk walk : walks) {
            seen += walk.seen;
            looked += walk.looked;
            skipped += walk.skipped;
            opened += walk.opened;
            missing += walk.missing;
            firstMissing = Math.min(firstMissing, walk.firstMissing);
        }
        if (missing > 0) {
            task.log(missing + " of " + DatastoreLayout.PREFIXES + " chunk directories are missing, the first is "
                    + directory.prefix(firstMissing));
        }
        return new SweepOutcome(seen, looked, skipped, opened);
    }

    /**
     * The prefix directories that there are. What has the name of one and is none stops the walk before the first file is
     * removed: it says that this filesystem has lost more than a chunk. A directory that is made later is left for the
     * next walk.
     */
    private BitSet presentPrefixes(DirectoryHandle chunks) throws DatastoreException {
        BitSet present = new BitSet(DatastoreLayout.PREFIXES);
        try {
            DirectoryEntry entry;
            while ((entry = chunks.next()) != null) {
                if (!ChunkName.isPrefix(entry.name())) {
                    continue;
                }
                int prefix = Integer.parseInt(entry.text(), 16);
                present.set(prefix);
                if (entry.type() != FileType.DIRECTORY) {
                    // A link to a directory passes, and so does what vanished meanwhile.
                    DirectoryHandle opened = openPrefix(chunks, prefix);
                    if (opened != null) {
                        opened.close();
                    }
                }
            }
        } catch (PosixException e) {
            throw directory.failure("the chunk directories cannot be listed", e);
        }
        return present;
    }

    /** Opens a prefix directory; null if there is none. */
    private @Nullable DirectoryHandle openPrefix(DirectoryHandle chunks, int prefix) throws DatastoreException {
        byte[] name = ChunkName.prefix(prefix);
        try {
            return chunks.openDirectory(name);
        } catch (PosixException e) {
            // A link that leads nowhere is there, and so not missing.
            if (e.errno() == Errno.ENOENT && !exists(chunks, name)) {
                return null;
            }
            throw directory.failure("a chunk directory cannot be opened", e);
        }
    }

    private boolean exists(DirectoryHandle chunks, byte[] name) throws DatastoreException {
        try {
            return chunks.stat(name, new FileStat());
        } catch (PosixException e) {
            throw directory.failure("a chunk directory cannot be looked at", e);
        }
    }

    /** One thread's part in a sweep: its counters, and the fields that every entry is seen through. */
    private final class Walk implements PrefixWorkers.Worker {

        private final DirectoryHandle chunks;
        private final BitSet present;
        private final AtomicInteger done;
        private final SweepPolicy policy;
        private final TaskContext task;
        private final FileStat stat = new FileStat();
        private final SweptFile file;
        private long seen;
        private long looked;
        private long skipped;
        private long opened;
        private int missing;
        private int firstMissing = DatastoreLayout.PREFIXES;
        private int sinceAbortCheck;

        /** @param done directories that all workers together have done */
        Walk(DirectoryHandle chunks, BitSet present, AtomicInteger done, SweepPolicy policy, TaskContext task) {
            this.chunks = chunks;
            this.present = present;
            this.done = done;
            this.policy = policy;
            this.task = task;
            file = new SweptFile(directory.root().toString(), stat);
        }

        @Override
        public void run(int from, int to) throws DatastoreException {
            for (int prefix = from; prefix < to; prefix++) {
                task.checkAbort();
                try (DirectoryHandle prefixDirectory = present.get(prefix) ? openPrefix(chunks, prefix) : null) {
                    if (prefixDirectory == null) {
                        missing(prefix);
                    } else {
                        directory(prefixDirectory, prefix);
                    }
                }
                task.progress(PHASE, done.incrementAndGet(), DatastoreLayout.PREFIXES, "directories");
            }
        }

        private void missing(int prefix) {
            missing++;
            firstMissing = Math.min(firstMissing, prefix);
        }

        void directory(DirectoryHandle prefixDirectory, int prefix) throws DatastoreException {
            opened++;
            DirectoryEntry entry;
            while ((entry = next(prefixDirectory)) != null) {
                if (++sinceAbortCheck == ABORT_INTERVAL) {
                    sinceAbortCheck = 0;
                    task.checkAbort();
                }
                SweepEntry.Kind kind = kind(entry.name());
                if (kind == null) {
                    continue;
                }
                file.set(entry.name(), kind, prefix);
                locks.lock(prefix);
                try {
                    if (mayBeRegular(entry.type()) && policy.keepsByName(file)) {
                        seen++;
                    } else {
                        entry(prefixDirectory, entry.name());
                    }
                } finally {
                    locks.unlock(prefix);
                }
            }
        }

        private @Nullable DirectoryEntry next(DirectoryHandle prefixDirectory) throws DatastoreException {
            try {
                return prefixDirectory.next();
            } catch (PosixException e) {
                throw ChunkWalker.this.directory.failure("a chunk directory cannot be listed", e);
            }
        }

        private void entry(DirectoryHandle prefixDirectory, byte[] name) throws DatastoreException {
            try {
                if (!prefixDirectory.stat(name, stat)) {
                    return; // removed or renamed since it was listed
                }
            } catch (PosixException e) {
                throw ChunkWalker.this.directory.failure("a chunk cannot be looked at", e);
            }
            looked++;
            if (stat.type() != FileType.REGULAR) {
                skipped++;
                policy.skipped(file);
                task.warn(file.path() + " has the name of a chunk but is not a regular file: it is "
                        + ChunkDirectory.describe(stat.type()));
                return;
            }
            seen++;
            SweepVerdict verdict = policy.judge(file);
            if (verdict == SweepVerdict.REMOVE) {
                remove(prefixDirectory, name);
            }
            policy.done(file, verdict);
        }

        private void remove(DirectoryHandle prefixDirectory, byte[] name) throws DatastoreException {
            try {
                // If another process was faster, the file is gone all the same.
                var unused = prefixDirectory.unlink(name);
            } catch (PosixException e) {
                policy.failed(file);
                throw ChunkWalker.this.directory.failure("a chunk that is not used cannot be removed", e);
            }
        }
    }

    /** Not every filesystem tells what its entries are; where it does not, a name must do. */
    private static boolean mayBeRegular(FileType type) {
        return type == FileType.REGULAR || type == FileType.UNKNOWN;
    }

    private static SweepEntry.@Nullable Kind kind(byte[] name) {
        return switch (ChunkName.classify(name)) {
            case CHUNK -> SweepEntry.Kind.CHUNK;
            case BAD -> SweepEntry.Kind.BAD;
            case EXPECTED_MARK -> SweepEntry.Kind.EXPECTED_MARK;
            case OTHER -> null;
        };
    }
}
