package dev.holdfast.archive.tree;

/** What can go wrong with one entry while the restore goes on. */
public enum RestoreProblem {
    /** Owner, mode, time or another part of the metadata was not restored; the entry is there. */
    METADATA_NOT_RESTORED,
    /** A device, FIFO or socket could not be made; it is missing. */
    NOT_CREATED,
    /** What is one file with several names in the archive is now several files. */
    LINK_BECAME_COPY
}
