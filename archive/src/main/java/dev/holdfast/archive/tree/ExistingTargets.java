package dev.holdfast.archive.tree;

/** What a restore does with something that is there already under the name of an entry. */
public enum ExistingTargets {
    /** It ends. */
    REFUSE,
    /**
     * It enters a directory if the entry is one, and replaces everything else but directories. A file is replaced by a
     * new one, not written into; a symbolic link is replaced itself and never followed.
     */
    OVERWRITE
}
