package dev.holdfast.datastore.chunk;

/**
 * What an insert did.
 *
 * @param kind whether the chunk was written
 * @param storedBytes length of the stored file
 */
public record InsertOutcome(Kind kind, long storedBytes) {

    /** Written now, or there already (and its access time set to now). */
    public enum Kind {
        INSERTED,
        EXISTED
    }
}
