package dev.holdfast.datastore.chunk;

/** What a sweep policy says about one file. */
public enum SweepVerdict {
    /** In use. */
    KEEP,
    /** Not known to be used, but too young to go. */
    PENDING,
    /** May go, and goes now. */
    REMOVE
}
