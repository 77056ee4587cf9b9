package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Chunks as files {@code .chunks/abcd/abcd…}, one per digest, below 65536 prefix directories that are made with the store
 * and never afterwards.
 *
 * <p>Keeps no descriptor between calls, and no thread for long. What is there already may have been written by another process, so every call looks
 * at the disk. "Absent" is said only of a chunk whose prefix directory is there; anything else is an exception.
 */
public final class FilesystemChunkStore implements ChunkStore {

    /** Bad copies of one chunk: {@code .0.bad} to {@code .9.bad}. */
    static final int BAD_COPIES = 10;

    private final PosixFiles files;
    private final ChunkDirectory directory;
    private final ChunkLocks locks;
    private final ChunkInsertion insertion;
    private final ChunkLoading loading;
    private final ChunkTouch touch;
    private final ChunkWalker walker;
    private final PrefixWorkers workers;

    /**
     * What a store needs to know about its place.
     *
     * @param store name of the datastore, for messages
     * @param chunks path of {@code .chunks}, absolute
     * @param owner who owns new files and directories, if the process runs as root; otherwise they are left as made
     * @param syncLevel at {@link SyncLevel#FILE} a chunk and its name are on disk before insert returns; at the other two
     *     nothing is synced here
     * @param workers how many threads at most apply one batch of touches, or one sweep; from 1 on
     */
    public record Config(String store, Path chunks, FileOwner owner, SyncLevel syncLevel, int workers) {}

    private FilesystemChunkStore(PosixFiles files, Config config, ChunkLocks locks) {
        this.files = files;
        this.locks = locks;
        directory = new ChunkDirectory(files, config.store(), config.chunks());
        insertion = new ChunkInsertion(files, config, directory);
        loading = new ChunkLoading(files, directory);
        workers = new PrefixWorkers(config.store(), config.workers());
        touch = new ChunkTouch(files, directory, locks, workers);
        walker = new ChunkWalker(directory, locks, workers);
    }

    /**
     * Opens an existing store's chunks. The prefix directories are not counted: a missing one is reported by the call that
     * needs it.
     *
     * @param locks shared by everything that works on this store in this process
     * @throws DatastoreException if {@code .chunks} is not a directory or a link to one; the message tells if the creation
     *     of the store was interrupted
     */
    public static ChunkStore open(PosixFiles files, Config config, ChunkLocks locks) throws DatastoreException {
        ChunkTree.requireComplete(files, config);
        return new FilesystemChunkStore(files, config, locks);
    }

    /**
     * Makes {@code .chunks} and its 65536 prefix directories. They are built beside their place, as {@code .chunks.new},
     * and get their name when all are there, so that a half-made tree never passes for a store.
     *
     * @throws dev.holdfast.datastore.error.AlreadyExistsException if {@code .chunks} exists, or {@code .chunks.new} from a
     *     creation that was interrupted
     */
    public static void create(PosixFiles files, Config config) throws DatastoreException {
        ChunkTree.create(files, config);
    }

    @Override
    public InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        locks.lock(digest.prefix());
        try {
            return insertion.insert(digest, blob);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    @Override
    public DataBlob load(ChunkDigest digest) throws DatastoreException {
        return loading.load(digest);
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) throws DatastoreException {
        FileStat stat = new FileStat();
        if (!directory.look(digest, stat)) {
            return Optional.empty();
        }
        directory.requireRegular(digest, stat);
        return Optional.of(new ChunkStat(stat.size(), stat.accessSeconds(), stat.accessNanos(), stat.inode()));
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        return touch.touch(batch, task);
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        return walker.sweep(policy, task);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The first nine bad copies of a chunk are never overwritten, so that the oldest evidence stays. If all ten names
     * are taken, the tenth, {@code .9.bad}, is replaced.
     */
    @Override
    public OptionalInt quarantine(ChunkDigest digest) throws DatastoreException {
        locks.lock(digest.prefix());
        try {
            FileStat stat = new FileStat();
            if (!directory.look(digest, stat)) {
                return OptionalInt.empty();
            }
            directory.requireRegular(digest, stat);
            int n = 0;
            while (n < BAD_COPIES - 1 && files.stat(directory.bad(digest, n), false, stat)) {
                n++;
            }
            try {
                files.rename(directory.chunk(digest), directory.bad(digest, n));
            } catch (PosixException e) {
                if (!directory.look(digest, stat)) {
                    return OptionalInt.empty(); // another process was faster
                }
                throw e;
            }
            return OptionalInt.of(n);
        } catch (PosixException e) {
            throw directory.failure(digest, "cannot be set aside", e);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ascending by inode number; chunks that cannot be looked at come last, in the order given. One look per chunk.
     */
    @Override
    public List<ChunkDigest> readOrder(List<ChunkDigest> digests) throws DatastoreException {
        record Placed(ChunkDigest digest, long inode) {}
        List<Placed> placed = new ArrayList<>(digests.size());
        FileStat stat = new FileStat();
        byte[] bytes = new byte[ChunkDigest.BYTES];
        byte[] name = RelativeName.create();
        try (DirectoryHandle chunks = directory.open()) {
            for (ChunkDigest digest : digests) {
                digest.copyTo(bytes, 0);
                RelativeName.write(bytes, name, 0);
                placed.add(new Placed(digest, inode(chunks, name, stat)));
            }
        }
        placed.sort(Comparator.comparing(Placed::inode, Long::compareUnsigned));
        List<ChunkDigest> order = new ArrayList<>(placed.size());
        placed.forEach(p -> order.add(p.digest()));
        return order;
    }

    /** The inode number, or the largest one for a chunk that cannot be looked at: reading it will say why. */
    private static long inode(DirectoryHandle chunks, byte[] name, FileStat stat) {
        try {
            return chunks.stat(name, stat) ? stat.inode() : -1;
        } catch (PosixException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
