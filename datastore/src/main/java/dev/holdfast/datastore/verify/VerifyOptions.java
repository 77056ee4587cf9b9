package dev.holdfast.datastore.verify;

import dev.holdfast.api.config.ChunkOrder;
import dev.holdfast.api.config.DatastoreTuning;

/**
 * How to verify.
 *
 * @param skip which snapshots need not be verified
 * @param effects whether anything is written
 * @param order order in which the chunks of an index are read
 * @param readers threads that read chunks, 1 to 32
 * @param workers threads that decompress and hash, 1 to 32
 */
public record VerifyOptions(SkipRule skip, Effects effects, ChunkOrder order, int readers, int workers) {

    /** What a run may change. */
    public enum Effects {
        /** Damaged chunks are set aside, and each snapshot's result is written to its manifest. */
        RECORD,
        /** Nothing is written; for read-only mounts, and to look without touching. */
        READ_ONLY
    }

    public VerifyOptions {
        requireThreads("verification readers", readers);
        requireThreads("verification workers", workers);
    }

    /** Everything is verified, and the results are recorded; order and threads as tuned. */
    public static VerifyOptions of(DatastoreTuning tuning) {
        return new VerifyOptions(
                SkipRule.NOTHING,
                Effects.RECORD,
                tuning.chunkOrder(),
                tuning.defaultVerificationReaders(),
                tuning.defaultVerificationWorkers());
    }

    public VerifyOptions withSkip(SkipRule rule) {
        return new VerifyOptions(rule, effects, order, readers, workers);
    }

    public VerifyOptions withEffects(Effects allowed) {
        return new VerifyOptions(skip, allowed, order, readers, workers);
    }

    private static void requireThreads(String what, int value) {
        if (value < 1 || value > 32) {
            throw new IllegalArgumentException(what + " must be from 1 to 32, not " + value);
        }
    }
}
