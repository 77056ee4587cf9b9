package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Reads chunk files: at most the length of the largest chunk, and only regular files, so that it never waits. */
final class ChunkLoading {

    private final PosixFiles files;
    private final ChunkDirectory directory;

    ChunkLoading(PosixFiles files, ChunkDirectory directory) {
        this.files = files;
        this.directory = directory;
    }

    DataBlob load(ChunkDigest digest) throws DatastoreException {
        Path path = directory.chunk(digest);
        FileStat stat = new FileStat();
        if (!directory.look(digest, stat)) {
            throw missing(digest, path);
        }
        directory.requireRegular(digest, stat);
        byte[] encoded;
        try (ReadableFile file = files.openForReading(path)) {
            file.stat(stat);
            directory.requireRegular(digest, stat);
            encoded = new byte[boundedSize(digest, path, stat.size())];
            if (file.read(0, ByteBuffer.wrap(encoded)) != encoded.length) {
                throw directory.failure("chunk " + digest + " became shorter while it was read: " + path);
            }
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT && !directory.look(digest, stat)) {
                throw missing(digest, path);
            }
            throw directory.failure(digest, "cannot be read", e);
        }
        try {
            return DataBlob.parse(encoded, path.toString());
        } catch (FormatException e) {
            throw new ChunkCorruptException(digest, "chunk " + digest + " is damaged: " + e.getMessage(), e);
        }
    }

    private static int boundedSize(ChunkDigest digest, Path path, long size) throws ChunkCorruptException {
        if (size == 0) {
            throw new ChunkCorruptException(digest, "chunk " + digest + " is damaged: " + path + " is empty");
        }
        if (size > DataBlob.MAX_ENCODED_CHUNK_BYTES) {
            throw new ChunkCorruptException(
                    digest,
                    "chunk " + digest + " is damaged: " + path + " has " + size + " bytes, more than the "
                            + DataBlob.MAX_ENCODED_CHUNK_BYTES + " of the largest chunk");
        }
        return (int) size;
    }

    private static ChunkMissingException missing(ChunkDigest digest, Path path) {
        return new ChunkMissingException(digest, "chunk " + digest + " is missing: " + path + " does not exist");
    }
}
