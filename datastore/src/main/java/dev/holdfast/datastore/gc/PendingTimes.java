package dev.holdfast.datastore.gc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When pending chunks become removable, by the hour: a collection that begins at the time of a bucket, with no older backup
 * running, removes what is in it, unless an index names it by then. Safe for use by any thread.
 */
final class PendingTimes {

    private static final long HOUR = 3600;

    private final long firstHour;
    private long[] chunks = new long[64];
    private long[] bytes = new long[64];

    /** @param start when the run began, Unix seconds */
    PendingTimes(long start) {
        this.firstHour = Math.floorDiv(start, HOUR);
    }

    /**
     * One file that is pending.
     *
     * @param bad a bad chunk counts with its bytes only, as in the status
     * @param at from when on it can be removed, Unix seconds
     */
    synchronized void add(boolean bad, long size, long at) {
        long hour = Math.max(0, Math.floorDiv(at + HOUR - 1, HOUR) - firstHour);
        // The cutoff is two days at the most and the grace a year; no pending file waits longer.
        int bucket = (int) Math.min(hour, 10_000);
        if (bucket >= chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(bucket + 1, chunks.length * 2));
            bytes = Arrays.copyOf(bytes, chunks.length);
        }
        chunks[bucket] += bad ? 0 : 1;
        bytes[bucket] += size;
    }

    /** Buckets that are not empty, in the order of time. */
    synchronized List<GcReport.Removable> list() {
        List<GcReport.Removable> list = new ArrayList<>();
        for (int i = 0; i < chunks.length; i++) {
            if (chunks[i] > 0 || bytes[i] > 0) {
                list.add(new GcReport.Removable((firstHour + i) * HOUR, chunks[i], bytes[i]));
            }
        }
        return list;
    }
}
