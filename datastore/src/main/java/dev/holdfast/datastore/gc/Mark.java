package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.error.DatastoreException;
import org.jspecify.annotations.Nullable;

/** How phase 1 remembers what is used. For use by one thread. */
interface Mark extends ReferenceSink {

    /** Does what still waits to be done. Without this nothing may be swept. */
    void finish() throws DatastoreException;

    /** A chunk that this mark has touched, if it has. */
    @Nullable
    ChunkDigest someTouched();

    CacheStats cacheStats();

    GcReport.Strategy strategy();

    GcReport.Phase phase(long durationMillis);

    /** One line on what has been done so far, for the log of a run that stops. */
    String soFar();
}
