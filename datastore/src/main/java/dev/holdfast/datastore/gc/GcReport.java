package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import java.util.List;
import java.util.OptionalInt;

/**
 * All figures of a run.
 *
 * @param dryRun whether anything was written
 * @param status the figures that Proxmox Backup Server keeps as well
 * @param cutoff access time below which a chunk goes, Unix seconds
 * @param phases in the order in which they ran
 * @param strategy how chunks were touched
 * @param warnings what was found on the way, at most a few thousand, the rest counted
 * @param candidates paths relative to the store's root of the files that a dry run would remove, sorted; empty for a real run
 */
public record GcReport(
        boolean dryRun,
        GarbageCollectionStatus status,
        long cutoff,
        List<Phase> phases,
        Strategy strategy,
        List<Warning> warnings,
        List<String> candidates) {

    /** One phase; figures that do not apply are 0. */
    public record Phase(
            String name,
            long durationMillis,
            long references,
            long touched,
            long missing,
            long directoriesOpened,
            long chunksSeen,
            long removed) {}

    /** How chunks were touched; the batch size is empty for direct marking. */
    public record Strategy(OptionalInt batchSize, long flushes, long largestBatch) {}

    /**
     * @param kind for example {@code missing-chunk}, {@code strange-path}, {@code vanished}, {@code misplaced-chunk}
     * @param digest the chunk, or empty
     * @param path the index or file concerned, relative to the store's root, or empty
     * @param count how often
     */
    public record Warning(String kind, String digest, String path, long count) {}
}
