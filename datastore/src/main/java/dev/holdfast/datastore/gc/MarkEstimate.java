package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long phase 1 will still take.
 *
 * <p>References alone mislead: one that the cache answers costs next to nothing, the first encounter with a chunk costs a
 * touch, which on a cold disk is a thousand times as much; snapshots that are read first have most first encounters;
 * batches put touches off and then do them in lumps. So three rates are measured in the run itself, a reference, a touch
 * and what each index costs besides, and multiplied with what is left of each. How many touches are left is known from
 * the run before, whose cache misses are scaled to the references of this one. Without such figures the share of first
 * encounters among the latest references stands in, which is too high in most stores and falls with time.
 *
 * <p>While nothing has been touched that will have to be, there is no estimate. Safe for use by any thread.
 */
final class MarkEstimate {

    /** What has not come yet. */
    static final long UNKNOWN = -1;

    /** The latest references are those of so many of the last windows. */
    private static final int WINDOWS = 8;

    private final LongSupplier nanos;
    private final boolean touches;
    private final double missesPerReference;
    private final long distinct;

    private long touched;
    private long waiting;
    private long flushSize;
    private boolean flushing;
    private long flushBegan;
    private long touchNanos;
    private boolean reading;
    private long readingBegan;
    private long readNanos;
    private long touchNanosInReading;
    private long otherSince = Long.MIN_VALUE;
    private long otherNanos;

    private final long[] windowReferences = new long[WINDOWS];
    private final long[] windowTouches = new long[WINDOWS];
    private int window;

    /**
     * @param nanos a clock that nobody sets
     * @param touches whether this mark touches at all
     * @param previous the figures of the run before, if there are any
     */
    MarkEstimate(LongSupplier nanos, boolean touches, Optional<GarbageCollectionStatus> previous) {
        this.nanos = nanos;
        this.touches = touches;
        double misses = 0;
        long chunks = 0;
        if (previous.isPresent()) {
            chunks = previous.get().diskChunks();
            if (previous.get().cacheStats().isPresent()) {
                long hits = previous.get().cacheStats().get().hits();
                long missed = previous.get().cacheStats().get().misses();
                misses = missed == 0 ? 0 : (double) missed / (hits + missed);
            }
        }
        missesPerReference = misses;
        distinct = chunks;
    }

    /** The references of an index begin to pass. */
    synchronized void readingBegan() {
        long now = nanos.getAsLong();
        if (otherSince != Long.MIN_VALUE) {
            otherNanos += now - otherSince;
        }
        reading = true;
        readingBegan = now;
        touchNanosInReading = 0;
    }

    /** They have passed. */
    synchronized void readingEnded() {
        long now = nanos.getAsLong();
        readNanos += now - readingBegan - touchNanosInReading;
        reading = false;
        otherSince = now;
    }

    /** Chunks begin to be touched. */
    synchronized void flushBegan(int size) {
        flushing = true;
        flushSize = size;
        waiting = size;
        flushBegan = nanos.getAsLong();
    }

    /** So many of them still wait. */
    synchronized void flushAdvanced(long stillWaiting) {
        if (flushing) {
            waiting = Math.min(waiting, stillWaiting);
        }
    }

    /**
     * All of them are touched.
     *
     * @param flushes so many flushes of this size this one stands for: where each is a single touch, not every one is timed
     */
    synchronized void flushEnded(int flushes) {
        long took = (nanos.getAsLong() - flushBegan) * flushes;
        touchNanos += took;
        if (reading) {
            touchNanosInReading += took;
        } else if (otherSince != Long.MIN_VALUE) {
            otherSince += took;
        }
        touched += flushSize * flushes;
        waiting = 0;
        flushing = false;
    }

    /**
     * Time left, in milliseconds, or {@link #UNKNOWN}.
     *
     * @param waitingInBatch digests that wait for a flush that has not begun
     */
    synchronized long remainingMillis(long waitingInBatch, Count references, Count indexes) {
        long now = nanos.getAsLong();
        long inFlush = flushing ? now - flushBegan : 0;
        long touchedNow = touched + (flushing ? flushSize - waiting : 0);
        long pending = flushing ? waiting : waitingInBatch;
        double touchesLeft = touches ? touchesLeft(touchedNow + pending, references) + pending : 0;
        if (references.done() == 0 || (touchesLeft > 0 && touchedNow == 0)) {
            return UNKNOWN;
        }
        long readNow = readNanos + (reading ? now - readingBegan - touchNanosInReading - inFlush : 0);
        double perReference = (double) readNow / references.done();
        double perTouch = touchedNow == 0 ? 0 : (double) (touchNanos + inFlush) / touchedNow;
        double perIndex = indexes.done() == 0 ? 0 : (double) otherNanos / indexes.done();
        double left = perReference * references.left() + perTouch * touchesLeft + perIndex * indexes.left();
        return TimeUnit.NANOSECONDS.toMillis(Math.round(left));
    }

    /** What is done and what there is in all. */
    record Count(long done, long total) {
        long left() {
            return Math.max(0, total - done);
        }
    }

    /** First encounters that are still to come. @param met first encounters so far */
    private double touchesLeft(long met, Count references) {
        double expected;
        if (missesPerReference > 0) {
            expected = missesPerReference * references.total() - met;
        } else if (distinct > 0) {
            expected = (double) distinct - met;
        } else {
            expected = latestShare(met, references) * references.left();
        }
        return Math.max(0, Math.min(expected, references.left()));
    }

    private double latestShare(long met, Count references) {
        long step = Math.max(1, references.total() / (4L * WINDOWS));
        int newest = (window + WINDOWS - 1) % WINDOWS;
        if (references.done() - windowReferences[newest] >= step) {
            windowReferences[window] = references.done();
            windowTouches[window] = met;
            window = (window + 1) % WINDOWS;
        }
        long since = references.done() - windowReferences[window];
        return since <= 0 ? 1 : (double) (met - windowTouches[window]) / since;
    }
}
