package dev.holdfast.datastore.blob;

import java.lang.ref.Cleaner;

/**
 * Frees the native contexts of encoders and decoders that are no longer reachable. The one cleaner of the process: it owns
 * a thread, and an encoder per worker must not mean a thread per worker.
 */
final class ZstdContexts {

    private static final Cleaner CLEANER = Cleaner.create();

    private ZstdContexts() {}

    /** @param free must not refer to {@code owner} */
    static void freeWith(Object owner, Runnable free) {
        CLEANER.register(owner, free);
    }
}
