package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.error.DatastoreException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Marks without touching: fills a set of used digests. The set is its own cache of seen digests: the first time a digest
 * comes is a miss, every other time a hit. For use by one thread.
 */
final class SetMark implements Mark {

    private final GcRun run;
    private final UsedChunks used;
    private final @Nullable SeenDigests imitated;
    private final boolean countsSet;
    private long distinct;

    /**
     * @param imitatedCache capacity of a cache that runs along, so that its figures are those of a run that marks by
     *     access times; empty for none
     */
    SetMark(GcRun run, UsedChunks used, OptionalInt imitatedCache) {
        this.run = run;
        this.used = used;
        this.imitated = imitatedCache.orElse(0) > 0 ? new SeenDigests(imitatedCache.getAsInt(), 1) : null;
        this.countsSet = imitatedCache.isEmpty();
    }

    @Override
    public void reference(byte[] digest, int offset, int index) throws DatastoreException {
        if (imitated == null) {
            used.add(digest, offset);
        } else if (imitated.reference(digest, offset, index)) {
            used.add(digest, offset);
            imitated.flushed();
        }
        if (run.progress().reference()) {
            run.task().checkAbort();
            run.progress().report();
        }
    }

    @Override
    public void finish() {
        distinct = used.size();
        run.task().figure("distinct", distinct);
    }

    @Override
    public @Nullable ChunkDigest someTouched() {
        return null;
    }

    @Override
    public CacheStats cacheStats() {
        if (countsSet) {
            return new CacheStats(run.progress().references() - distinct, distinct);
        }
        return imitated == null ? new CacheStats(0, 0) : new CacheStats(imitated.hits(), imitated.misses());
    }

    @Override
    public GcReport.Strategy strategy() {
        return new GcReport.Strategy(OptionalInt.empty(), 0, 0);
    }

    @Override
    public GcReport.Phase phase(long durationMillis) {
        return GcReport.Phase.mark(durationMillis, run.progress().references(), 0, 0, 0);
    }

    @Override
    public String soFar() {
        return "read " + run.progress().references() + " references of "
                + run.indexes().fileCount() + " index files, found " + used.size() + " distinct chunks";
    }
}
