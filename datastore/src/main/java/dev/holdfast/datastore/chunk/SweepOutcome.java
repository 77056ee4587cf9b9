package dev.holdfast.datastore.chunk;

/**
 * What a sweep came by.
 *
 * @param seen files that were judged, or kept by their name
 * @param looked files whose inode was read: all but those that were kept by their name
 * @param skipped entries with the name of a chunk that are no regular files
 * @param directoriesOpened prefix directories that were opened
 */
public record SweepOutcome(long seen, long looked, long skipped, long directoriesOpened) {}
