package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.SafetyException;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Watches the clocks that a run rests on. The cutoff comes from the wall clock, the marks from the clock of the
 * filesystem, and both must go on as they were for a mark to be younger than the cutoff. So the wall clock is compared
 * with a monotonic one, and access times set by probes are compared with the wall clock.
 *
 * <p>Each may be off by up to {@link #TOLERANCE_SECONDS}; both together, in the direction that makes marks look old, by
 * less than the plan's window.
 */
final class ClockGuard {

    /** Greatest step, and greatest difference between our clock and the filesystem's. */
    static final long TOLERANCE_SECONDS = 60;

    private final String store;
    private final Clock clock;
    private final LongSupplier monotonicNanos;
    private final long startMillis;
    private final long startNanos;
    private long worstStepMillis;
    private long worstProbeSeconds;

    /** @param monotonicNanos a clock that nobody sets, in nanoseconds from an arbitrary origin */
    ClockGuard(String store, Clock clock, LongSupplier monotonicNanos) {
        this.store = store;
        this.clock = clock;
        this.monotonicNanos = monotonicNanos;
        this.startMillis = clock.millis();
        this.startNanos = monotonicNanos.getAsLong();
    }

    /** When this guard began, Unix seconds. */
    long startSeconds() {
        return Math.floorDiv(startMillis, 1000L);
    }

    /** Milliseconds since this guard began, by the monotonic clock. */
    long elapsedMillis() {
        return (monotonicNanos.getAsLong() - startNanos) / 1_000_000;
    }

    /** How far the wall clock has moved against the monotonic one, in milliseconds; positive is ahead. */
    private long stepMillis() {
        return clock.millis() - startMillis - elapsedMillis();
    }

    /** Whether the wall clock is where it should be. */
    boolean isSteady() {
        long step = stepMillis();
        worstStepMillis = Math.min(worstStepMillis, step);
        return Math.abs(step) <= TOLERANCE_SECONDS * 1000;
    }

    /** @throws SafetyException if the wall clock has been stepped by more than the tolerance */
    void check() throws SafetyException {
        if (!isSteady()) {
            throw new SafetyException(
                    store,
                    "the system clock was set " + (stepMillis() > 0 ? "forward" : "back") + " by "
                            + Math.abs(stepMillis()) / 1000 + " s during the run, so access times cannot be compared"
                            + " with the cutoff; run garbage collection again when the clock is right");
        }
    }

    /**
     * Compares the access time that a probe has just been given with our clock.
     *
     * @param path the probe, for the message
     */
    void checkProbe(String path, long accessSeconds) throws SafetyException {
        long off = accessSeconds - Math.floorDiv(clock.millis(), 1000L);
        worstProbeSeconds = Math.min(worstProbeSeconds, off);
        if (Math.abs(off) > TOLERANCE_SECONDS) {
            throw new SafetyException(
                    path,
                    "chunk " + path + ", touched just now, has an access time " + Math.abs(off) + " s "
                            + (off > 0 ? "ahead of" : "behind") + " our clock; set the clocks of this machine and of"
                            + " the machine that holds the files, then run garbage collection again");
        }
    }

    /** @throws SafetyException if everything tolerated so far, added up, may have made a mark look older than the cutoff */
    void checkWindow(GcPlan plan) throws SafetyException {
        long behind = -worstProbeSeconds - Math.floorDiv(worstStepMillis, 1000L);
        if (behind > 1 && behind >= plan.windowSeconds()) {
            throw new SafetyException(
                    store,
                    "the clocks were off by up to " + behind + " s, and chunks are kept for only "
                            + plan.windowSeconds() + " s (gc-atime-cutoff); set the clocks, or raise the option");
        }
    }
}
