package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.chunk.SweepVerdict;
import java.util.OptionalLong;

/**
 * What a run may remove, frozen before it marks anything: however long the mark takes, the limit stays where it was.
 *
 * @param start when the run began, Unix seconds
 * @param oldestWriter when the oldest running writer began, at most {@code start}, which stands in where there is none
 * @param cutoff access time below which a chunk goes
 * @param cutoffSeconds how long a chunk is kept after it was last touched, where no older writer runs
 */
public record GcPlan(long start, long oldestWriter, long cutoff, long cutoffSeconds) {

    /** Further back than the oldest writer by so many seconds, where the oldest writer decides. */
    static final long WRITER_MARGIN_SECONDS = 300;

    /**
     * @param start Unix seconds
     * @param oldestWriter start of the oldest running writer, if there is one
     * @param cutoffMinutes how long a chunk is kept after it was last touched, see {@code gc-atime-cutoff}
     */
    public static GcPlan of(long start, OptionalLong oldestWriter, int cutoffMinutes) {
        long oldest = Math.min(start, oldestWriter.orElse(start));
        long cutoff = start - cutoffMinutes * 60L;
        if (oldest < cutoff) {
            cutoff = oldest - WRITER_MARGIN_SECONDS;
        }
        return new GcPlan(start, oldest, cutoff, cutoffMinutes * 60L);
    }

    /**
     * The verdict on a file: strict comparisons of whole seconds, the same for chunks and bad chunks.
     *
     * @param accessSeconds its access time
     */
    public SweepVerdict judge(long accessSeconds) {
        if (accessSeconds < cutoff) {
            return SweepVerdict.REMOVE;
        }
        return accessSeconds < oldestWriter ? SweepVerdict.PENDING : SweepVerdict.KEEP;
    }

    /**
     * When a file that is pending can be removed, by its access time: from the first run on that begins at this time, Unix
     * seconds, and that no older backup holds back.
     */
    public long removableAt(long accessSeconds) {
        return accessSeconds + cutoffSeconds + 1;
    }

    /**
     * How far, in seconds, the clock that sets access times may be behind the one that {@code start} was read from before
     * a mark made by this run could look too old.
     */
    public long windowSeconds() {
        return start - cutoff;
    }
}
