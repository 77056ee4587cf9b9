package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore.Config;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The tree of prefix directories: made once, whole or not at all. */
final class ChunkTree {

    private ChunkTree() {}

    /** Whom to give new files to, or nobody: only root can. */
    static FileOwner owner(PosixFiles files, FileOwner configured) {
        return files.effectiveUid() == 0 ? configured : FileOwner.UNCHANGED;
    }

    private static Path unfinished(Path chunks) {
        return chunks.resolveSibling(chunks.getFileName() + ".new");
    }

    static void requireComplete(PosixFiles files, Config config) throws DatastoreException {
        Path chunks = config.chunks();
        FileStat stat = new FileStat();
        try {
            if (!files.stat(chunks, true, stat)) {
                String reason = files.stat(unfinished(chunks), false, stat)
                        ? " does not exist, but " + unfinished(chunks)
                                + " does: the creation of this store was interrupted. Remove that, and create the store again"
                        : " does not exist: this is no datastore, or its disk is not mounted";
                throw new DatastoreException("datastore '" + config.store() + "': " + chunks + reason);
            }
        } catch (PosixException e) {
            throw new DatastoreException(
                    "datastore '" + config.store() + "': the chunk directory cannot be looked at: " + e.getMessage(),
                    e);
        }
        if (stat.type() != FileType.DIRECTORY) {
            throw new DatastoreException("datastore '" + config.store() + "': " + chunks + " is not a directory but "
                    + ChunkDirectory.describe(stat.type()));
        }
    }

    static void create(PosixFiles files, Config config) throws DatastoreException {
        Path chunks = config.chunks();
        Path unfinished = unfinished(chunks);
        FileOwner owner = owner(files, config.owner());
        try {
            if (files.stat(chunks, false, new FileStat())) {
                throw new AlreadyExistsException(
                        chunks.toString(),
                        "datastore '" + config.store() + "': " + chunks
                                + " exists already; add the store instead of creating it");
            }
            if (!make(files, unfinished, owner)) {
                throw new AlreadyExistsException(
                        unfinished.toString(),
                        "datastore '" + config.store() + "': " + unfinished + " exists: an earlier creation was"
                                + " interrupted, or another one is running. Remove it, and create the store again");
            }
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                Path path = unfinished.resolve(new String(ChunkName.prefix(prefix), StandardCharsets.US_ASCII));
                if (!make(files, path, owner)) {
                    throw new AlreadyExistsException(
                            path.toString(),
                            "datastore '" + config.store() + "': " + path
                                    + " was made by somebody else while the store was created");
                }
            }
            files.rename(unfinished, chunks);
        } catch (PosixException e) {
            throw new DatastoreException(
                    "datastore '" + config.store() + "': the chunk directories cannot be made: " + e.getMessage()
                            + "; what there is of them lies in " + unfinished + ", remove it before the next try",
                    e);
        }
    }

    private static boolean make(PosixFiles files, Path path, FileOwner owner) throws PosixException {
        if (!files.makeDirectory(path, DatastoreLayout.CHUNK_DIRECTORY_MODE)) {
            return false;
        }
        if (!owner.equals(FileOwner.UNCHANGED)) {
            files.changeOwner(path, owner.uid(), owner.gid());
        }
        return true;
    }
}
