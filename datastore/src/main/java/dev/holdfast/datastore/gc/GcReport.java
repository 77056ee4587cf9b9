package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.chunk.SweepOutcome;
import java.util.List;
import java.util.Optional;
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
 * @param usageEstimate how good {@code disk-bytes} is; empty if it is exact
 * @param removable when what is pending becomes removable, in the order of time
 * @param candidates paths relative to the store's root of the files that a dry run would remove, sorted; empty for a real run
 */
public record GcReport(
        boolean dryRun,
        GarbageCollectionStatus status,
        long cutoff,
        List<Phase> phases,
        Strategy strategy,
        List<Warning> warnings,
        List<String> candidates,
        Optional<UsageEstimate> usageEstimate,
        List<Removable> removable) {

    /**
     * One phase; figures that do not apply are 0.
     *
     * @param chunksSeen files that the sweep came by
     * @param inodesRead files of those that it looked at; the others were known to be used from their names
     */
    public record Phase(
            String name,
            long durationMillis,
            long references,
            long touched,
            long missing,
            long directoriesOpened,
            long chunksSeen,
            long inodesRead,
            long removed) {

        static Phase mark(long durationMillis, long references, long touched, long missing, long directoriesOpened) {
            return new Phase("mark", durationMillis, references, touched, missing, directoriesOpened, 0, 0, 0);
        }

        static Phase sweep(long durationMillis, SweepOutcome outcome, long removed) {
            return new Phase(
                    "sweep",
                    durationMillis,
                    0,
                    0,
                    0,
                    outcome.directoriesOpened(),
                    outcome.seen(),
                    outcome.looked(),
                    removed);
        }

        /** The same phase with so many chunks missing. */
        Phase withMissing(long chunks) {
            return new Phase(
                    name,
                    durationMillis,
                    references,
                    touched,
                    chunks,
                    directoriesOpened,
                    chunksSeen,
                    inodesRead,
                    removed);
        }
    }

    /**
     * How good {@code disk-bytes} is, where it comes from a sample.
     *
     * @param sampledChunks chunks whose size was looked at
     * @param errorBytes with 95 % certainty the true figure is not further away than this
     */
    public record UsageEstimate(long sampledChunks, long errorBytes) {}

    /**
     * Pending chunks that become removable within one hour.
     *
     * @param at a run that begins then removes them, if no older backup runs and no index names them; Unix seconds, a full
     *     hour
     * @param bytes with those of bad chunks
     */
    public record Removable(long at, long chunks, long bytes) {}

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
