package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Chooses the time of a new snapshot: the one that was given, or now. */
final class SnapshotTime {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private SnapshotTime() {}

    /**
     * Times are whole seconds, so two backups of one group in one second would have one name: the second one waits for the
     * next second, which is soon.
     *
     * @param given Unix seconds; null for now
     */
    static long choose(
            OpenDatastore open, BackupNamespace namespace, BackupGroup group, @Nullable Long given, Clock clock)
            throws DatastoreException {
        if (given != null) {
            return given;
        }
        long newest = 0;
        if (open.snapshots().group(namespace, group).exists()) {
            List<SnapshotId> snapshots = open.snapshots().snapshots(namespace, group);
            newest = snapshots.isEmpty() ? 0 : snapshots.get(0).time();
        }
        long now = clock.instant().getEpochSecond();
        while (now == newest) {
            LockSupport.parkNanos(RETRY_NANOS);
            now = clock.instant().getEpochSecond();
        }
        return now;
    }
}
