package dev.holdfast.archive.pxar;

import java.util.Arrays;

/**
 * The children of an open directory, in flat arrays, until its goodbye table is written. 24 bytes a child, and while
 * the table is written as many again.
 */
final class GoodbyeTable {

    private long[] hashes = new long[8];
    private long[] positions = new long[8];
    private long[] sizes = new long[8];
    private int count;

    /**
     * @param position of the FILENAME header
     * @param size from there to the end of the child
     */
    void add(byte[] name, long position, long size) {
        if (count == hashes.length) {
            int more = Math.multiplyExact(count, 2);
            hashes = Arrays.copyOf(hashes, more);
            positions = Arrays.copyOf(positions, more);
            sizes = Arrays.copyOf(sizes, more);
        }
        hashes[count] = NameHash.of(name);
        positions[count] = position;
        sizes[count++] = size;
    }

    int count() {
        return count;
    }

    /** Indexes of the items, in the order of the slots. */
    int[] order() {
        int[] sorted = sortedByHash();
        int[] ranks = SearchTree.rankBySlot(count);
        for (int slot = 0; slot < count; slot++) {
            ranks[slot] = sorted[ranks[slot]];
        }
        return ranks;
    }

    long hash(int item) {
        return hashes[item];
    }

    long position(int item) {
        return positions[item];
    }

    long size(int item) {
        return sizes[item];
    }

    /** Bottom-up merge sort of the indexes by unsigned hash: no object per child, and stable. */
    private int[] sortedByHash() {
        int[] from = new int[count];
        Arrays.setAll(from, i -> i);
        int[] to = new int[count];
        for (int run = 1; run < count; run *= 2) {
            for (int low = 0; low < count; low += 2 * run) {
                merge(from, to, low, Math.min(low + run, count), Math.min(low + 2 * run, count));
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft = left < middle
                    && (right >= high || Long.compareUnsigned(hashes[from[left]], hashes[from[right]]) <= 0);
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }
}
