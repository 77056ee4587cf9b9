package dev.holdfast.datastore.gc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Random;

/**
 * A compact set of digests that only grows: what a mark has found to be used.
 *
 * <p>It keeps 40 bits of a seeded hash of each digest, in {@value #SEGMENTS} tables with open addressing that grow one by
 * one, by a seventh each time. That is at most 8 bytes a distinct digest all in, once there are a million or more.
 *
 * <ul>
 *   <li>A digest that was added is always found: there is never a false "unused".
 *   <li>A digest that was not added is found by mistake with a chance of {@code n / 4096 / 2^40} for a set of {@code n},
 *       1.6 in 10^8 for 72 million: a false "used", which keeps a chunk for another run. The seed is new for each run, so
 *       nobody can prepare a chunk that is always kept, and no chunk is unlucky twice.
 *   <li>Each entry has a bit that says whether it was looked up by {@link #see}: what stays unseen when all chunks of the
 *       store have been looked up is used and not there.
 * </ul>
 *
 * <p>Flat arrays throughout, no object per digest. Adding is for one thread at a time; {@link #contains} and {@link #see}
 * may be called by many threads once nobody adds.
 */
final class MarkSet {

    private static final int SEGMENTS = 4096;
    private static final int SEGMENT_SHIFT = 64 - 12;
    private static final int INITIAL_CAPACITY = 16;

    /** Above this share of used slots a table grows: longer probes would cost more than the memory that they save. */
    private static final double MAX_LOAD = 0.88;

    private static final double GROWTH = 1.15;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int[][] high = new int[SEGMENTS][];
    private final byte[][] low = new byte[SEGMENTS][];
    private final long[][] seen = new long[SEGMENTS][];
    private final int[] counts = new int[SEGMENTS];
    private final long[] seeds = new long[6];
    private long size;

    /** @param random where the seed of the hash comes from; a secure one, so that nobody can prepare collisions */
    MarkSet(Random random) {
        for (int i = 0; i < seeds.length; i++) {
            seeds[i] = random.nextLong();
        }
    }

    /**
     * Adds the 32 bytes at {@code offset}.
     *
     * @return whether it was not in the set before
     */
    boolean add(byte[] digest, int offset) {
        long hash = hash(digest, offset);
        int segment = (int) (hash >>> SEGMENT_SHIFT);
        if (high[segment] == null) {
            allocate(segment, INITIAL_CAPACITY);
        }
        if (slot(segment, hash) >= 0) {
            return false;
        }
        if (counts[segment] + 1 > high[segment].length * MAX_LOAD) {
            grow(segment);
        }
        insert(segment, highBits(hash), lowBits(hash), false);
        counts[segment]++;
        size++;
        return true;
    }

    boolean contains(byte[] digest, int offset) {
        long hash = hash(digest, offset);
        return slot((int) (hash >>> SEGMENT_SHIFT), hash) >= 0;
    }

    /** Whether the digest is in the set; if so, remembers that it was looked up. Safe for use by many threads. */
    boolean see(byte[] digest, int offset) {
        long hash = hash(digest, offset);
        int segment = (int) (hash >>> SEGMENT_SHIFT);
        int slot = slot(segment, hash);
        if (slot < 0) {
            return false;
        }
        long bit = 1L << (slot & 63);
        if ((seen[segment][slot >> 6] & bit) == 0) {
            WORDS.getAndBitwiseOr(seen[segment], slot >> 6, bit);
        }
        return true;
    }

    /** Whether the digest is in the set and {@link #see} was never called for it. */
    boolean isUnseen(byte[] digest, int offset) {
        long hash = hash(digest, offset);
        int segment = (int) (hash >>> SEGMENT_SHIFT);
        int slot = slot(segment, hash);
        return slot >= 0 && (seen[segment][slot >> 6] & (1L << (slot & 63))) == 0;
    }

    /** Number of distinct digests. */
    long size() {
        return size;
    }

    /** Number of digests for which {@link #see} was never called. */
    long unseen() {
        long sum = size;
        for (long[] words : seen) {
            if (words != null) {
                for (long word : words) {
                    sum -= Long.bitCount(word);
                }
            }
        }
        return sum;
    }

    /** Bytes of memory in all arrays, with their headers. */
    long bytes() {
        long sum = 4L * SEGMENTS * 4;
        for (int segment = 0; segment < SEGMENTS; segment++) {
            if (high[segment] != null) {
                sum += 48 + 4L * high[segment].length + low[segment].length + 8L * seen[segment].length;
            }
        }
        return sum;
    }

    private int slot(int segment, long hash) {
        int[] highs = high[segment];
        if (highs == null) {
            return -1;
        }
        byte[] lows = low[segment];
        int wantedHigh = highBits(hash);
        byte wantedLow = lowBits(hash);
        int slot = home(wantedHigh, highs.length);
        while (highs[slot] != 0) {
            if (highs[slot] == wantedHigh && lows[slot] == wantedLow) {
                return slot;
            }
            if (++slot == highs.length) {
                slot = 0;
            }
        }
        return -1;
    }

    private void insert(int segment, int highBits, byte lowBits, boolean wasSeen) {
        int[] highs = high[segment];
        int slot = home(highBits, highs.length);
        while (highs[slot] != 0) {
            if (++slot == highs.length) {
                slot = 0;
            }
        }
        highs[slot] = highBits;
        low[segment][slot] = lowBits;
        if (wasSeen) {
            seen[segment][slot >> 6] |= 1L << (slot & 63);
        }
    }

    private void allocate(int segment, int capacity) {
        high[segment] = new int[capacity];
        low[segment] = new byte[capacity];
        seen[segment] = new long[(capacity + 63) >> 6];
    }

    private void grow(int segment) {
        int[] oldHigh = high[segment];
        byte[] oldLow = low[segment];
        long[] oldSeen = seen[segment];
        allocate(segment, Math.max(oldHigh.length + 4, (int) (oldHigh.length * GROWTH)));
        for (int slot = 0; slot < oldHigh.length; slot++) {
            if (oldHigh[slot] != 0) {
                insert(segment, oldHigh[slot], oldLow[slot], (oldSeen[slot >> 6] & (1L << (slot & 63))) != 0);
            }
        }
    }

    /** 32 bits that also say where in its table an entry belongs; 0 stands for an empty slot and becomes 1. */
    private static int highBits(long hash) {
        int bits = (int) (hash >>> 20);
        return bits == 0 ? 1 : bits;
    }

    private static byte lowBits(long hash) {
        return (byte) hash;
    }

    private static int home(int highBits, int capacity) {
        return (int) (((highBits & 0xffff_ffffL) * capacity) >>> 32);
    }

    private long hash(byte[] digest, int offset) {
        long first = fold((long) LONGS.get(digest, offset) ^ seeds[0], (long) LONGS.get(digest, offset + 8) ^ seeds[1]);
        long second = fold(
                (long) LONGS.get(digest, offset + 16) ^ seeds[2], (long) LONGS.get(digest, offset + 24) ^ seeds[3]);
        return fold(first ^ seeds[4], second ^ seeds[5]);
    }

    /** Multiplies to 128 bits and folds the halves: every bit of the result depends on every bit of both factors. */
    private static long fold(long a, long b) {
        return Math.multiplyHigh(a, b) ^ (a * b);
    }
}
