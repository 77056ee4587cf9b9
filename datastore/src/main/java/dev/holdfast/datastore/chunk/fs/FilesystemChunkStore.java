package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;

/** Chunks as files {@code .chunks/abcd/abcd…}. */
public abstract class FilesystemChunkStore implements ChunkStore {

    /** What a store needs to know about its place. */
    public record Config(String store, Path chunks, FileOwner owner, SyncLevel syncLevel) {}

    FilesystemChunkStore() {}

    /** Opens an existing store's chunks; {@code .chunks} must be a directory. */
    public static ChunkStore open(PosixFiles files, Config config, ChunkLocks locks) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Makes {@code .chunks} and its 65536 prefix directories; {@code .chunks} must not exist. */
    public static void create(PosixFiles files, Config config) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }
}
