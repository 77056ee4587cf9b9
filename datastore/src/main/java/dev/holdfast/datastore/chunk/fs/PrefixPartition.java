package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.layout.DatastoreLayout;

/**
 * The positions of a batch, grouped by prefix directory in ascending order: one counting sort over the first 16 bits, in
 * two flat arrays. The order inside a directory brings nothing, so it is left as it comes.
 */
final class PrefixPartition {

    private final int[] ends = new int[DatastoreLayout.PREFIXES];
    private final int[] positions;

    PrefixPartition(TouchBatch batch) {
        int size = batch.size();
        positions = new int[size];
        for (int i = 0; i < size; i++) {
            ends[batch.prefix(i)]++;
        }
        int begin = 0;
        for (int prefix = 0; prefix < ends.length; prefix++) {
            int count = ends[prefix];
            ends[prefix] = begin;
            begin += count;
        }
        for (int i = 0; i < size; i++) {
            positions[ends[batch.prefix(i)]++] = i;
        }
    }

    /** Index of the first position of a prefix. */
    int begin(int prefix) {
        return prefix == 0 ? 0 : ends[prefix - 1];
    }

    /** Index after the last position of a prefix. */
    int end(int prefix) {
        return ends[prefix];
    }

    /** The position in the batch at an index of the grouped order. */
    int position(int index) {
        return positions[index];
    }
}
