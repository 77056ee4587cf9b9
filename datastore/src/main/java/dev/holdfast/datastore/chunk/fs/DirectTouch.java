package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Touches one chunk by its whole path: what marking on first encounter does, one system call each.
 *
 * <p>The path is looked up from the root of the filesystem tree, through a handle that is kept. A kept handle of the
 * chunks' own directory would save a lookup, but after a remount it would touch one tree while a sweep removes from
 * another.
 */
final class DirectTouch {

    private static final int[] NONE = new int[0];
    private static final int[] THE_ONE = {0};

    private final PosixFiles files;
    private final ChunkLocks locks;
    private final TouchNames names;
    private @Nullable DirectoryHandle top;

    DirectTouch(PosixFiles files, Path chunks, ChunkLocks locks) {
        this.files = files;
        this.locks = locks;
        this.names = TouchNames.below(chunks.toString().substring(1) + "/");
    }

    synchronized TouchOutcome touch(TouchBatch batch) throws DatastoreException {
        int prefix = batch.prefix(0);
        byte[] name = names.name(batch, 0);
        locks.lock(prefix);
        try {
            DirectoryHandle handle = top;
            if (handle == null) {
                handle = files.openDirectory(Path.of("/"));
                top = handle;
            }
            if (handle.touch(name)) {
                return new TouchOutcome(1, NONE, 0, 0);
            }
            byte[] directory = names.prefixDirectory();
            if (!handle.stat(directory, new FileStat())) {
                throw FilesystemChunkStore.missingPrefix("/" + new String(directory, StandardCharsets.UTF_8));
            }
            return new TouchOutcome(0, THE_ONE, names.touchBad(handle) ? 1 : 0, 0);
        } catch (PosixException e) {
            throw FilesystemChunkStore.failure("cannot touch chunk /" + names.text(), e);
        } finally {
            locks.unlock(prefix);
        }
    }

    synchronized void close() {
        if (top != null) {
            top.close();
            top = null;
        }
    }
}
