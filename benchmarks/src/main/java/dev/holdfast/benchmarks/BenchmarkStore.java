package dev.holdfast.benchmarks;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.datastore.DatastoreFactory;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcStore;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** A store opened the way the product opens it, except that its chunks may be put behind something else. */
final class BenchmarkStore implements AutoCloseable {

    private final FilesystemDatastore store;

    /** @param locks where lock files of groups go: below the store's mount, so that nothing is left behind */
    BenchmarkStore(Path root, DatastoreTuning tuning, Path locks) throws DatastoreException {
        PosixFiles files = JnrPosixFiles.load();
        store = new DatastoreFactory(new StoreEnvironment(files, Clock.systemUTC(), locks))
                .open(new StoreSettings("benchmark", root, tuning), AccessMode.READ_WRITE);
    }

    PosixFiles files() {
        return store.files();
    }

    Path chunkDirectory() {
        return store.layout().chunks();
    }

    ChunkStore chunks() {
        return store.chunks();
    }

    GarbageCollector collector(ChunkStore chunks) {
        return new GarbageCollector(new GcStore(
                store.name(),
                store.layout(),
                store.tuning(),
                chunks,
                store.snapshots(),
                store.processLock().orElse(null),
                store.directoryLocks(),
                store.moveJournal(),
                store.files(),
                GcStore.Time.of(Clock.systemUTC()),
                status -> {},
                Map.of()));
    }

    @Override
    public void close() {
        store.close();
    }
}
