package dev.holdfast.datastore.chunk;

/**
 * What a sweep came by.
 *
 * @param seen files that were judged
 * @param skipped entries with the name of a chunk that are no regular files
 * @param directoriesOpened prefix directories that were opened
 */
public record SweepOutcome(long seen, long skipped, long directoriesOpened) {}
