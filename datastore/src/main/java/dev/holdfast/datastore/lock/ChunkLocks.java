package dev.holdfast.datastore.lock;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Mutual exclusion inside this process of inserts, touches and sweeps, per prefix directory: a fixed number of stripes,
 * so that workers on different directories do not wait for each other.
 */
public final class ChunkLocks {

    private static final int STRIPES = 1024;

    private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

    public ChunkLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    /** Waits for the stripe of this prefix; to be paired with {@link #unlock} in a finally block. */
    public void lock(int prefix) {
        stripes[prefix & (STRIPES - 1)].lock();
    }

    public void unlock(int prefix) {
        stripes[prefix & (STRIPES - 1)].unlock();
    }
}
