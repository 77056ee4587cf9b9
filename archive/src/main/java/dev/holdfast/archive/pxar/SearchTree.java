package dev.holdfast.archive.pxar;

/**
 * The order of the items in a goodbye table: the level-order image of a complete binary search tree over the unsigned
 * hashes. Slot i has its children in slots 2i + 1 and 2i + 2; all slots below n are used, so n alone fixes the shape.
 */
final class SearchTree {

    private SearchTree() {}

    /** For each slot the rank, in sorted order, of the item that stands there. */
    static int[] rankBySlot(int n) {
        int[] ranks = new int[n];
        fill(ranks, 0, 0);
        return ranks;
    }

    /** In-order walk; its depth is the height of the tree, at most 31. @return the next rank to give out */
    private static int fill(int[] ranks, long slot, int rank) {
        if (slot >= ranks.length) {
            return rank;
        }
        int own = fill(ranks, 2 * slot + 1, rank);
        ranks[(int) slot] = own;
        return fill(ranks, 2 * slot + 2, own + 1);
    }
}
