package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.layout.DatastoreLayout;
import java.util.BitSet;
import java.util.Optional;
import java.util.Random;

/**
 * How much space used chunks take, from a sample of them. Digests are uniform, so the chunks of a few prefix directories
 * are a fair sample of all; whole directories, so that their inodes lie close together. Safe for use by any thread.
 */
final class UsageSample {

    /** So many chunks are looked at: with sizes that vary as much as their mean, that gives the sum to 3 %. */
    static final int TARGET_CHUNKS = 4096;

    /** Below so many chunks a sample saves nothing worth an error. */
    static final int EXACT_UP_TO = 2 * TARGET_CHUNKS;

    /** 95 % of a normal distribution lie within so many standard deviations of its mean. */
    private static final double DEVIATIONS = 1.96;

    /** Longest encoded chunk; bounds the error where there is no sample to tell. */
    private static final double MAX_CHUNK_BYTES = 16.0 * 1024 * 1024 + 64;

    private final BitSet sampled = new BitSet(DatastoreLayout.PREFIXES);
    private long unknown;
    private long count;
    private double mean;
    private double squares;

    private UsageSample() {}

    /** Every directory: no estimate, the sizes of all. */
    static UsageSample everything() {
        UsageSample sample = new UsageSample();
        sample.sampled.set(0, DatastoreLayout.PREFIXES);
        return sample;
    }

    /**
     * As many directories, chosen at random, as are needed for a good estimate; all of them if there are few chunks.
     *
     * @param chunks how many chunks there are about
     */
    static UsageSample of(long chunks, Random random) {
        if (chunks <= EXACT_UP_TO) {
            return everything();
        }
        UsageSample sample = new UsageSample();
        long directories = ((long) TARGET_CHUNKS * DatastoreLayout.PREFIXES + chunks - 1) / chunks;
        while (sample.sampled.cardinality() < directories) {
            sample.sampled.set(random.nextInt(DatastoreLayout.PREFIXES));
        }
        return sample;
    }

    /** Whether the chunks of a directory are looked at. */
    boolean includes(int prefix) {
        return sampled.get(prefix);
    }

    /** A used chunk whose size was looked at. */
    synchronized void known(long size) {
        count++;
        double before = size - mean;
        mean += before / count;
        squares += before * (size - mean);
    }

    /** A used chunk whose size was not looked at. */
    synchronized void unknown() {
        unknown++;
    }

    /** Chunks whose size was not looked at. */
    synchronized long unknownChunks() {
        return unknown;
    }

    /** What they take together, in bytes. */
    synchronized long unknownBytes() {
        return Math.round(unknown * mean);
    }

    /** How good that is; empty if everything was looked at. */
    synchronized Optional<GcReport.UsageEstimate> estimate() {
        if (unknown == 0) {
            return Optional.empty();
        }
        double error = unknown * MAX_CHUNK_BYTES;
        if (count > 1) {
            // The sum of what was not seen varies by itself, and so does the mean that it is predicted from.
            double variance = squares / (count - 1);
            error = DEVIATIONS * Math.sqrt(variance * unknown * (1 + (double) unknown / count));
        }
        return Optional.of(new GcReport.UsageEstimate(count, Math.round(error)));
    }
}
