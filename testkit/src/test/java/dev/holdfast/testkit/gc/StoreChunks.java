package dev.holdfast.testkit.gc;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.util.function.Function;

/** Opens the chunks of a store on disk. */
final class StoreChunks {

    private StoreChunks() {}

    static Function<PosixFiles, ChunkStore> opener(DatastoreLayout layout, FileOwner owner) {
        return files -> {
            try {
                return FilesystemChunkStore.open(
                        files,
                        new FilesystemChunkStore.Config("store1", layout.chunks(), owner, SyncLevel.NONE, 4),
                        new ChunkLocks());
            } catch (DatastoreException e) {
                throw new AssertionError("the chunks of the fixture cannot be opened", e);
            }
        };
    }
}
