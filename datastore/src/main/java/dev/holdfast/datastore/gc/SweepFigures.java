package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.chunk.SweepVerdict;
import java.util.Optional;

/** The sums of a sweep. Safe for use by any thread. */
final class SweepFigures {

    private long diskBytes;
    private long diskChunks;
    private long removedBytes;
    private long removedChunks;
    private long pendingBytes;
    private long pendingChunks;
    private long removedBad;
    private long stillBad;

    /** Counts a file by what was done with it. */
    synchronized void count(boolean bad, SweepVerdict verdict, long size) {
        switch (verdict) {
            case REMOVE -> {
                removedBytes += size;
                if (bad) {
                    removedBad++;
                } else {
                    removedChunks++;
                }
            }
            case PENDING -> {
                pendingBytes += size;
                if (bad) {
                    stillBad++;
                } else {
                    pendingChunks++;
                }
            }
            case KEEP -> {
                diskBytes += size;
                if (!bad) {
                    diskChunks++;
                }
            }
        }
    }

    /** A bad chunk could not be removed. */
    synchronized void badStays() {
        stillBad++;
    }

    /** Chunks and bad chunks that were removed. */
    synchronized long removed() {
        return removedChunks + removedBad;
    }

    /** @param sample knows of the chunks in use that were not judged */
    synchronized GarbageCollectionStatus status(
            String upid, MarkedIndexes indexes, CacheStats cache, UsageSample sample) {
        return new GarbageCollectionStatus(
                upid.isEmpty() ? Optional.empty() : Optional.of(upid),
                indexes.fileCount(),
                indexes.dataBytes(),
                diskBytes + sample.unknownBytes(),
                diskChunks + sample.unknownChunks(),
                removedBytes,
                removedChunks,
                pendingBytes,
                pendingChunks,
                removedBad,
                stillBad,
                Optional.of(cache));
    }
}
