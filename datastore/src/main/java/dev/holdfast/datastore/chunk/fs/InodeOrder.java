package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Orders chunks by inode number, which on most filesystems is close to their order on the disk. */
final class InodeOrder {

    private record Placed(ChunkDigest digest, long inode) {}

    private final PosixFiles files;
    private final Path chunks;

    InodeOrder(PosixFiles files, Path chunks) {
        this.files = files;
        this.chunks = chunks;
    }

    /** A hint only: a chunk that cannot be looked at comes last, and whoever reads it learns why. */
    List<ChunkDigest> sort(List<ChunkDigest> digests) throws DatastoreException {
        List<Placed> placed = new ArrayList<>(digests.size());
        FileStat stat = new FileStat();
        try (DirectoryHandle top = files.openDirectory(chunks)) {
            for (ChunkDigest digest : digests) {
                placed.add(new Placed(digest, inode(top, digest, stat)));
            }
        } catch (PosixException e) {
            throw FilesystemChunkStore.failure("cannot order chunks for reading", e);
        }
        placed.sort(Comparator.comparingLong(Placed::inode));
        return placed.stream().map(Placed::digest).toList();
    }

    private static long inode(DirectoryHandle top, ChunkDigest digest, FileStat stat) {
        try {
            byte[] name = ChunkName.relative(digest).getBytes(StandardCharsets.US_ASCII);
            return top.stat(name, stat) ? stat.inode() : Long.MAX_VALUE;
        } catch (PosixException e) {
            return Long.MAX_VALUE;
        }
    }
}
