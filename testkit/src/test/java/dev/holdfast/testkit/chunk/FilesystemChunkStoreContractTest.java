package dev.holdfast.testkit.chunk;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;

class FilesystemChunkStoreContractTest extends ChunkStoreContract {

    @TempDir
    Path root;

    @Override
    protected Subject create() throws IOException {
        Path chunks = Files.createDirectory(root.resolve(".chunks"));
        for (int prefix : PREFIXES) {
            Files.createDirectory(chunks.resolve(String.format("%04x", prefix)));
        }
        ChunkStore store = FilesystemChunkStore.open(
                JnrPosixFiles.load(),
                new FilesystemChunkStore.Config("store1", chunks, FileOwner.UNCHANGED, SyncLevel.NONE, 4),
                new ChunkLocks());
        return new Subject() {
            @Override
            public ChunkStore store() {
                return store;
            }

            @Override
            public void setAccess(String name, Instant access) throws IOException {
                Files.setAttribute(
                        chunks.resolve(name.substring(0, 4)).resolve(name), "lastAccessTime", FileTime.from(access));
            }
        };
    }
}
