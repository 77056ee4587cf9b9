package dev.holdfast.datastore.chunk;

/**
 * What an insert did.
 *
 * @param kind whether the chunk was written
 * @param storedBytes length of the stored file
 * @param replacedEmpty whether an empty file lay in the chunk's place, as a crash can leave it; it was replaced, and
 *     whoever runs the task should warn
 */
public record InsertOutcome(Kind kind, long storedBytes, boolean replacedEmpty) {

    /** Written now, or there already (and its access time set to now). */
    public enum Kind {
        INSERTED,
        EXISTED
    }

    /** An outcome without anything to warn of. */
    public InsertOutcome(Kind kind, long storedBytes) {
        this(kind, storedBytes, false);
    }
}
