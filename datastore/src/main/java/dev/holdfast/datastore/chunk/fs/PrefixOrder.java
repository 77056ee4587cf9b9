package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.util.Arrays;

/**
 * The positions of a batch, grouped by prefix directory: a counting sort over the 65536 prefixes, two passes over the batch
 * and no comparison. Positions of one prefix keep the order of the batch. Used again for the next batch; for one thread.
 */
final class PrefixOrder {

    /** Up to this many positions (4 MiB) the array is worth keeping between batches. */
    private static final int KEPT_POSITIONS = 1 << 20;

    /** The positions of prefix p are those from bounds[p] up to bounds[p + 1]. One more, for the sort itself. */
    private final int[] bounds = new int[DatastoreLayout.PREFIXES + 2];

    private int[] positions = new int[0];

    void sort(TouchBatch batch) {
        int size = batch.size();
        if (positions.length < size) {
            positions = new int[size];
        }
        Arrays.fill(bounds, 0);
        // Counts lie two places further on, so that the next free place of p, one further on, ends as the bound of p +
        // 1.
        for (int i = 0; i < size; i++) {
            bounds[batch.prefix(i) + 2]++;
        }
        for (int i = 2; i < bounds.length; i++) {
            bounds[i] += bounds[i - 1];
        }
        for (int i = 0; i < size; i++) {
            positions[bounds[batch.prefix(i) + 1]++] = i;
        }
    }

    int from(int prefix) {
        return bounds[prefix];
    }

    int to(int prefix) {
        return bounds[prefix + 1];
    }

    /**
     * Cuts the prefixes into ranges with about the same number of positions in each; a range may be empty.
     *
     * @return range i goes from the i-th number to the one after it
     */
    int[] split(int ranges) {
        int size = bounds[DatastoreLayout.PREFIXES];
        int[] cuts = new int[ranges + 1];
        int prefix = 0;
        for (int i = 1; i < ranges; i++) {
            int wanted = (int) ((long) size * i / ranges);
            while (bounds[prefix] < wanted) {
                prefix++;
            }
            cuts[i] = prefix;
        }
        cuts[ranges] = DatastoreLayout.PREFIXES;
        return cuts;
    }

    int position(int index) {
        return positions[index];
    }

    boolean isSmall() {
        return positions.length <= KEPT_POSITIONS;
    }
}
