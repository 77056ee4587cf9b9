package dev.holdfast.api.config;

import java.util.OptionalInt;

/** All tuning options of one datastore, as a value; unknown options are kept. */
public final class DatastoreTuning {

    /** Every option at its default. */
    public static final DatastoreTuning DEFAULTS = new DatastoreTuning();

    private DatastoreTuning() {}

    public ChunkOrder chunkOrder() {
        throw new UnsupportedOperationException("skeleton");
    }

    public SyncLevel syncLevel() {
        throw new UnsupportedOperationException("skeleton");
    }

    public boolean gcAtimeSafetyCheck() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Minutes. */
    public int gcAtimeCutoffMinutes() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Whether {@code gc-atime-cutoff} is set; unset means the default of 1445 minutes. */
    public boolean isSet(String option) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Entries; 0 for no cache. */
    public int gcCacheCapacity() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Digests per batch; empty for direct marking. */
    public OptionalInt gcPrefetchBatchSize() {
        throw new UnsupportedOperationException("skeleton");
    }

    public int defaultVerificationWorkers() {
        throw new UnsupportedOperationException("skeleton");
    }

    public int defaultVerificationReaders() {
        throw new UnsupportedOperationException("skeleton");
    }
}
