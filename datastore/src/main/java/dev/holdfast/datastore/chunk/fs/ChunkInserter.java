package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.InsertOutcome.Kind;
import dev.holdfast.datastore.error.ChunkConflictException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Decides whether an insert writes, and writes. Called under the lock of the chunk's prefix.
 *
 * <p>What is there already wins, unless it is empty (a write that a crash cut off) or a larger encoding of the same plain
 * data. Equal length counts as equal content: the name is the digest of the content, and verify checks it.
 */
final class ChunkInserter {

    private static final Logger LOG = System.getLogger(ChunkInserter.class.getName());

    private final PosixFiles files;
    private final FilesystemChunkStore.Config config;

    ChunkInserter(PosixFiles files, FilesystemChunkStore.Config config) {
        this.files = files;
        this.config = config;
    }

    InsertOutcome insert(ChunkDigest digest, Path path, DataBlob blob) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (files.stat(path, false, stat) && keeps(digest, path, blob, stat) && files.touch(path)) {
                return new InsertOutcome(Kind.EXISTED, stat.size());
            }
            AtomicFile.replace(
                    files,
                    path,
                    ByteBuffer.wrap(blob.encoded()),
                    new AtomicFile.Attributes(config.owner(), DatastoreLayout.FILE_MODE),
                    config.syncLevel() == SyncLevel.FILE ? Durability.FSYNC : Durability.NONE);
            return new InsertOutcome(Kind.INSERTED, blob.size());
        } catch (DatastoreException e) {
            throw e;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                throw FilesystemChunkStore.missingPrefix(String.valueOf(path.getParent()));
            }
            throw FilesystemChunkStore.failure("cannot store chunk " + digest, e);
        } catch (IOException e) {
            throw new DatastoreException("cannot store chunk " + digest + ": " + e.getMessage(), e);
        }
    }

    private boolean keeps(ChunkDigest digest, Path path, DataBlob blob, FileStat stat)
            throws PosixException, DatastoreException {
        if (stat.type() != FileType.REGULAR) {
            throw new DatastoreException(path + ": not a regular file, so chunk " + digest + " cannot be stored");
        }
        if (stat.size() == blob.size()) {
            return true;
        }
        if (stat.size() == 0) {
            LOG.log(Level.WARNING, "{0} is empty, a write that never reached the disk: writing it again", path);
            return false;
        }
        if (!blob.isEncrypted()) {
            return stat.size() < blob.size();
        }
        DataBlob existing = readHeader(path, stat);
        if (!existing.isEncrypted() || (!existing.isCompressed() && !blob.isCompressed())) {
            throw new ChunkConflictException(
                    digest,
                    "chunk " + digest + " is there already with other content (" + path
                            + "); verify the store before you back up again");
        }
        return true;
    }

    private DataBlob readHeader(Path path, FileStat stat) throws PosixException, DatastoreException {
        if (stat.size() > DataBlob.MAX_ENCODED_CHUNK_BYTES) {
            throw new FormatException(path.toString(), path + " is too large for a chunk: " + stat.size() + " bytes");
        }
        byte[] bytes = new byte[(int) stat.size()];
        try (ReadableFile file = files.openForReading(path)) {
            if (file.read(0, ByteBuffer.wrap(bytes)) != bytes.length) {
                throw new DatastoreException(path + " became shorter while it was read");
            }
        }
        return DataBlob.parse(bytes, path.toString());
    }
}
