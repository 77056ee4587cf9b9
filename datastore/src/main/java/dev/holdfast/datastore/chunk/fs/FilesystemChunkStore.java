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
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Chunks as files {@code .chunks/abcd/abcd…} of a local filesystem, in 65536 directories that are made once.
 *
 * <p>Absence is certain only if the chunk's name is not there and its prefix directory is: a missing directory may as well
 * be a mount that went away, so it is an error. A prefix directory may be a symbolic link to a directory elsewhere; a link
 * that stands in for a chunk is read through, but touched and removed as the link that it is.
 */
public final class FilesystemChunkStore implements ChunkStore {

    /** What a store needs to know about its place. */
    public record Config(String store, Path chunks, FileOwner owner, SyncLevel syncLevel) {}

    private static final int BAD_COPIES = 10;

    private final PosixFiles files;
    private final Config config;
    private final ChunkLocks locks;
    private final ChunkInserter inserter;
    private final DirectTouch direct;

    private FilesystemChunkStore(PosixFiles files, Config config, ChunkLocks locks) {
        this.files = files;
        this.config = config;
        this.locks = locks;
        this.inserter = new ChunkInserter(files, config);
        this.direct = new DirectTouch(files, config.chunks(), locks);
    }

    /**
     * Opens an existing store's chunks.
     *
     * @throws DatastoreException if {@code .chunks} is not there, or no directory
     */
    public static ChunkStore open(PosixFiles files, Config config, ChunkLocks locks) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (!files.stat(config.chunks(), true, stat)) {
                throw new DatastoreException(
                        config.chunks() + ": no such directory; the store is not mounted, or this is no datastore");
            }
        } catch (PosixException e) {
            throw failure("cannot open the chunks of " + config.store(), e);
        }
        if (stat.type() != FileType.DIRECTORY) {
            throw new DatastoreException(config.chunks() + ": not a directory, so this is no datastore");
        }
        return new FilesystemChunkStore(files, config, locks);
    }

    /**
     * Makes {@code .chunks} and its 65536 prefix directories.
     *
     * @throws AlreadyExistsException if there is a {@code .chunks}, whole or half made
     */
    public static void create(PosixFiles files, Config config) throws DatastoreException {
        try {
            makeDirectory(files, config, config.chunks());
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                makeDirectory(files, config, config.chunks().resolve(text(ChunkName.prefix(prefix))));
            }
        } catch (PosixException e) {
            throw new DatastoreException(
                    "cannot make the directories of " + config.chunks()
                            + " (what was made so far stays; remove it before" + " the next try): " + e.getMessage(),
                    e);
        }
    }

    private static void makeDirectory(PosixFiles files, Config config, Path path)
            throws PosixException, AlreadyExistsException {
        if (!files.makeDirectory(path, DatastoreLayout.CHUNK_DIRECTORY_MODE)) {
            throw new AlreadyExistsException(
                    path.toString(), path + " exists already; to use an existing store, add it instead");
        }
        if (!config.owner().equals(FileOwner.UNCHANGED)) {
            files.changeOwner(path, config.owner().uid(), config.owner().gid());
        }
    }

    @Override
    public InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        locks.lock(digest.prefix());
        try {
            return inserter.insert(digest, path(digest), blob);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    @Override
    public DataBlob load(ChunkDigest digest) throws DatastoreException {
        Path path = path(digest);
        byte[] encoded;
        try (ReadableFile file = files.openForReading(path)) {
            FileStat stat = new FileStat();
            file.stat(stat);
            if (stat.type() != FileType.REGULAR) {
                throw new DatastoreException(path + ": not a regular file, so it is no chunk");
            }
            if (stat.size() == 0) {
                throw new ChunkCorruptException(digest, path + " is empty: a write that never reached the disk");
            }
            if (stat.size() > DataBlob.MAX_ENCODED_CHUNK_BYTES) {
                throw new ChunkCorruptException(
                        digest,
                        path + " is too large for a chunk: " + stat.size() + " bytes, at most "
                                + DataBlob.MAX_ENCODED_CHUNK_BYTES + " are allowed");
            }
            encoded = new byte[(int) stat.size()];
            if (file.read(0, ByteBuffer.wrap(encoded)) != encoded.length) {
                throw new DatastoreException(path + " became shorter while it was read");
            }
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                requirePrefixDirectory(digest);
                throw new ChunkMissingException(digest, "chunk " + digest + " is missing: " + path, e);
            }
            throw failure("cannot read chunk " + digest, e);
        }
        try {
            return DataBlob.parse(encoded, path.toString());
        } catch (FormatException e) {
            throw new ChunkCorruptException(digest, "chunk " + digest + " is damaged: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (!files.stat(path(digest), false, stat)) {
                requirePrefixDirectory(digest);
                return Optional.empty();
            }
        } catch (PosixException e) {
            throw failure("cannot look at chunk " + digest, e);
        }
        return Optional.of(new ChunkStat(stat.size(), stat.accessSeconds(), stat.accessNanos(), stat.inode()));
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        return switch (batch.size()) {
            case 0 -> new TouchOutcome(0, new int[0], 0, 0);
            case 1 -> direct.touch(batch);
            default -> new BatchTouch(files, config.chunks(), locks).touch(batch, task);
        };
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        return new ChunkSweep(files, config.chunks(), locks).sweep(policy, task);
    }

    /** If all ten names are taken, the first nine keep the oldest evidence and the last one is replaced. */
    @Override
    public OptionalInt quarantine(ChunkDigest digest) throws DatastoreException {
        Path path = path(digest);
        FileStat stat = new FileStat();
        locks.lock(digest.prefix());
        try {
            int n = 0;
            while (n < BAD_COPIES - 1 && files.stat(badPath(path, n), false, stat)) {
                n++;
            }
            files.rename(path, badPath(path, n));
            return OptionalInt.of(n);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                requirePrefixDirectory(digest);
                return OptionalInt.empty();
            }
            throw failure("cannot set chunk " + digest + " aside", e);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    @Override
    public List<ChunkDigest> readOrder(List<ChunkDigest> digests) throws DatastoreException {
        return new InodeOrder(files, config.chunks()).sort(digests);
    }

    @Override
    public void close() {
        direct.close();
    }

    private Path path(ChunkDigest digest) {
        return config.chunks().resolve(ChunkName.relative(digest));
    }

    private static Path badPath(Path chunk, int n) {
        return chunk.resolveSibling(chunk.getFileName() + ChunkName.badSuffix(n));
    }

    private void requirePrefixDirectory(ChunkDigest digest) throws DatastoreException {
        Path directory = config.chunks().resolve(text(ChunkName.prefix(digest.prefix())));
        try {
            if (!files.stat(directory, true, new FileStat())) {
                throw missingPrefix(directory.toString());
            }
        } catch (PosixException e) {
            throw failure("cannot tell whether chunk " + digest + " is there", e);
        }
    }

    static DatastoreException missingPrefix(String directory) {
        return new DatastoreException(directory
                + ": the prefix directory is missing; if the store is whole otherwise, make it again (mode 0750)");
    }

    static DatastoreException failure(String what, PosixException e) {
        return new DatastoreException(what + ": " + e.getMessage(), e);
    }

    private static String text(byte[] ascii) {
        return new String(ascii, StandardCharsets.US_ASCII);
    }
}
