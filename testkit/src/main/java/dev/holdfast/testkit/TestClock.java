package dev.holdfast.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it, in either direction. Always UTC. Safe for use by any thread. */
public final class TestClock extends Clock {

    private final AtomicReference<Instant> now;

    public TestClock(Instant start) {
        this.now = new AtomicReference<>(start);
    }

    /** A clock at a number of Unix seconds. */
    public static TestClock atSecond(long epochSecond) {
        return new TestClock(Instant.ofEpochSecond(epochSecond));
    }

    public void set(Instant instant) {
        now.set(instant);
    }

    /** Moves by a duration, which may be negative. */
    public void advance(Duration duration) {
        now.updateAndGet(instant -> instant.plus(duration));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /**
     * This clock; zones do not matter to instants.
     *
     * @throws IllegalArgumentException for another zone than UTC
     */
    @Override
    public Clock withZone(ZoneId zone) {
        if (!zone.normalized().equals(ZoneOffset.UTC)) {
            throw new IllegalArgumentException("the test clock runs in UTC, not in " + zone);
        }
        return this;
    }
}
