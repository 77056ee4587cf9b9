package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobMagic;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.InsertOutcome.Kind;
import dev.holdfast.datastore.error.ChunkConflictException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a chunk that arrives is written, by what lies in its place. Called under the lock of the prefix.
 *
 * <ul>
 *   <li>Nothing, or an empty file (a crash can leave one): written.
 *   <li>The same length: kept, the content is not compared.
 *   <li>The new one is encrypted: kept if it may be, since an encrypted chunk differs at each upload; refused over a plain
 *       chunk, and uncompressed over uncompressed, where the lengths had to be equal.
 *   <li>The new one is plain: the shorter one wins, as both decode to the same bytes.
 * </ul>
 *
 * <p>What is kept is touched.
 */
final class ChunkInsertion {

    private final PosixFiles files;
    private final ChunkDirectory directory;
    private final AtomicFile.Attributes attributes;
    private final AtomicFile.Durability durability;

    ChunkInsertion(PosixFiles files, FilesystemChunkStore.Config config, ChunkDirectory directory) {
        this.files = files;
        this.directory = directory;
        attributes = new AtomicFile.Attributes(ChunkTree.owner(files, config.owner()), DatastoreLayout.FILE_MODE);
        durability = config.syncLevel() == SyncLevel.FILE ? AtomicFile.Durability.FSYNC : AtomicFile.Durability.NONE;
    }

    InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        if (blob.size() > DataBlob.MAX_ENCODED_CHUNK_BYTES) {
            throw directory.failure("chunk " + digest + " has " + blob.size() + " bytes; at most "
                    + DataBlob.MAX_ENCODED_CHUNK_BYTES + " can be stored");
        }
        Path path = directory.chunk(digest);
        FileStat stat = new FileStat();
        boolean present = directory.look(digest, stat);
        if (present) {
            directory.requireRegular(digest, stat);
            if (keeps(digest, stat.size(), blob) && touch(digest, path)) {
                return new InsertOutcome(Kind.EXISTED, stat.size());
            }
        }
        write(digest, path, blob);
        return new InsertOutcome(Kind.INSERTED, blob.size(), present && stat.size() == 0);
    }

    private boolean keeps(ChunkDigest digest, long old, DataBlob blob) throws DatastoreException {
        if (old == blob.size()) {
            return true;
        }
        if (old == 0) {
            return false;
        }
        if (!blob.isEncrypted()) {
            return old < blob.size();
        }
        BlobMagic magic = magic(digest);
        if (magic != null && !magic.isEncrypted()) {
            throw conflict(digest, "is stored unencrypted and would be replaced by an encrypted one");
        }
        if (magic == BlobMagic.ENCRYPTED && !blob.isCompressed()) {
            throw conflict(
                    digest,
                    "is stored with " + old + " bytes, encrypted and uncompressed, and arrives in the same form with "
                            + blob.size());
        }
        return true;
    }

    private ChunkConflictException conflict(ChunkDigest digest, String what) {
        return new ChunkConflictException(
                digest,
                directory.failure("chunk " + digest + " " + what).getMessage() + ": " + directory.chunk(digest));
    }

    /** The variant of the stored chunk, or null if it begins with none of the four. */
    private @Nullable BlobMagic magic(ChunkDigest digest) throws DatastoreException {
        byte[] head = new byte[BlobMagic.BYTES];
        try (ReadableFile file = files.openForReading(directory.chunk(digest))) {
            return file.read(0, ByteBuffer.wrap(head)) == head.length ? BlobMagic.of(head) : null;
        } catch (PosixException e) {
            throw directory.failure(digest, "is there, but cannot be read", e);
        }
    }

    /** False if another process has removed the file meanwhile. */
    private boolean touch(ChunkDigest digest, Path path) throws DatastoreException {
        try {
            return files.touch(path);
        } catch (PosixException e) {
            throw directory.failure(digest, "is there, but cannot be touched", e);
        }
    }

    private void write(ChunkDigest digest, Path path, DataBlob blob) throws DatastoreException {
        try {
            AtomicFile.replace(files, path, ByteBuffer.wrap(blob.encoded()), attributes, durability);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                // Only the directory can be missing; if it is there again, the failure stands as it is.
                requirePrefix(digest, e);
            }
            throw directory.failure(digest, "cannot be written", e);
        } catch (IOException e) {
            throw directory.failure(digest, "cannot be written", e);
        }
    }

    private void requirePrefix(ChunkDigest digest, PosixException cause) throws DatastoreException {
        try {
            directory.requirePrefix(digest.prefix(), cause);
        } catch (PosixException e) {
            throw directory.failure(digest, "cannot be written", e);
        }
    }
}
