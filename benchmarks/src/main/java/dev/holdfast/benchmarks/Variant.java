package dev.holdfast.benchmarks;

import dev.holdfast.api.config.DatastoreTuning;
import java.util.Map;

/**
 * One way to mark, by its name on the command line.
 *
 * @param name as given
 * @param kind the way
 * @param workers how many apply a flush; 1 where the way knows no workers
 */
record Variant(String name, Kind kind, int workers) {

    private static final String TOUCH_WORKERS = "gc-touch-workers";
    private static final String MARKING = "gc-marking";

    /** Ways to mark. All but the last two set access times. */
    enum Kind {
        /** Each chunk at first encounter, by its absolute path. */
        DIRECT("direct"),
        /** All prefix directories are listed once, then as {@link #DIRECT}. */
        LIST_THEN_DIRECT("list-then-direct"),
        /** Batches by prefix; each directory is listed by its path, then its chunks are touched by their absolute paths. */
        BATCH_LIST("batch-list"),
        /** Batches by prefix; each directory is opened by its path, its chunks are touched relative to it; no listing. */
        BATCH_OPEN("batch-open"),
        /** What Holdfast does: see {@code docs/chunks.md}. */
        BATCH("batch"),
        /** Holdfast's set in memory instead of access times. */
        MARK_SET("mark-set"),
        /** A dry run. */
        DRY_RUN("dry-run");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** Thrown where this build of the datastore does not know an option that a variant needs. */
    static final class UnknownHereException extends Exception {
        private static final long serialVersionUID = 1L;

        UnknownHereException(String option) {
            super("this build has no option " + option);
        }
    }

    /** Parses {@code direct}, {@code batch:8} and so on. */
    static Variant parse(String name) {
        String[] parts = name.split(":", 2);
        for (Kind kind : Kind.values()) {
            if (kind.word.equals(parts[0])) {
                return new Variant(name, kind, parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
            }
        }
        throw new IllegalArgumentException("there is no variant '" + name + "'");
    }

    boolean isBatched() {
        return kind == Kind.BATCH_LIST || kind == Kind.BATCH_OPEN || kind == Kind.BATCH;
    }

    boolean isDryRun() {
        return kind == Kind.DRY_RUN;
    }

    /**
     * The options of a store that marks this way.
     *
     * @param batchSize digests of a batch
     */
    DatastoreTuning tuning(int batchSize) throws UnknownHereException {
        DatastoreTuning tuning = DatastoreTuning.of(Map.of(DatastoreTuning.GC_ATIME_SAFETY_CHECK, "no"));
        if (isBatched()) {
            tuning = tuning.with(DatastoreTuning.GC_PREFETCH_BATCH_SIZE, Integer.toString(batchSize));
        }
        if (workers != 1 || DatastoreTuning.option(TOUCH_WORKERS).isPresent()) {
            tuning = with(tuning, TOUCH_WORKERS, Integer.toString(workers));
        }
        return kind == Kind.MARK_SET ? with(tuning, MARKING, "mark-set") : tuning;
    }

    private static DatastoreTuning with(DatastoreTuning tuning, String option, String value)
            throws UnknownHereException {
        if (DatastoreTuning.option(option).isEmpty()) {
            throw new UnknownHereException(option);
        }
        return tuning.with(option, value);
    }
}
