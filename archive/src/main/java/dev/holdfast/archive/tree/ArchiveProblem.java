package dev.holdfast.archive.tree;

/** What can go wrong with one entry while the backup goes on. */
public enum ArchiveProblem {
    /** It could not be opened or listed; it is not in the archive. */
    UNREADABLE,
    /** It was removed or replaced between listing and opening; it is not in the archive. */
    VANISHED,
    /** It shrank or grew while it was read; it is in the archive, filled up with zeros or cut. */
    CHANGED_WHILE_READ,
    /** It is in the archive, but some of its metadata is not. */
    METADATA_INCOMPLETE,
    /** The format or a limit has no room for it; it is not in the archive. */
    UNSUPPORTED,
    /** A line of a {@code .pxarexclude} file, or the whole file, was ignored. */
    EXCLUDES_IGNORED
}
