package dev.holdfast.datastore.gc;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.MoveJournal;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that garbage collection needs of one store.
 *
 * @param name the store's name
 * @param layout its paths
 * @param tuning its options
 * @param chunks its chunks, on whatever they lie
 * @param catalog its snapshots
 * @param processLock its process lock; null where the store is open for reading only, then only a dry run works
 * @param directoryLocks its group locks
 * @param moveJournal where moves of snapshots are announced
 * @param files the door to the system, for the walk and the indexes
 * @param time clocks
 * @param statusKeeper takes the figures of a successful run
 * @param otherStores names and roots of all other configured stores
 */
public record GcStore(
        String name,
        DatastoreLayout layout,
        DatastoreTuning tuning,
        ChunkStore chunks,
        SnapshotCatalog catalog,
        @Nullable ProcessLock processLock,
        DirectoryLocks directoryLocks,
        MoveJournal moveJournal,
        PosixFiles files,
        Time time,
        StatusKeeper statusKeeper,
        Map<String, Path> otherStores) {

    public GcStore {
        otherStores = Map.copyOf(otherStores);
    }

    /** Keeps the figures of the last successful run. */
    @FunctionalInterface
    public interface StatusKeeper {
        void save(GarbageCollectionStatus status) throws DatastoreException;
    }

    /**
     * The clocks of a run.
     *
     * @param clock the wall clock
     * @param monotonicNanos a clock that nobody sets, nanoseconds from an arbitrary origin
     * @param sleeper waits
     */
    public record Time(Clock clock, LongSupplier monotonicNanos, Sleeper sleeper) {

        /** The given wall clock, the machine's monotonic clock, and real waiting. */
        public static Time of(Clock clock) {
            return new Time(clock, System::nanoTime, duration -> Thread.sleep(duration.toMillis()));
        }
    }
}
