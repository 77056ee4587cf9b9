package dev.holdfast.datastore.gc;

import java.time.Duration;

/** Waits; given in, so that a test need not. */
@FunctionalInterface
public interface Sleeper {

    /** Waits at least this long. */
    void sleep(Duration duration) throws InterruptedException;
}
