package dev.holdfast.datastore.snapshot;

/** What whoever opened a store may do with it. */
public enum AccessMode {
    /** Nothing is created or changed, not even a lock file in the store; works on a read-only mount. */
    READ_ONLY,
    /** Everything. */
    READ_WRITE
}
