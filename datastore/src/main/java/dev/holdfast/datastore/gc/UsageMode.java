package dev.holdfast.datastore.gc;

/** How the space in use is found where the sweep does not look at chunks in use anyway, which is with a mark set. */
public enum UsageMode {
    /** From a sample; the report gives the error. */
    ESTIMATED,
    /** By a look at every chunk. */
    EXACT
}
