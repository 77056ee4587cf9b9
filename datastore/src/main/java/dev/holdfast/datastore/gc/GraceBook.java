package dev.holdfast.datastore.gc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Since when chunks are known to be unreferenced: for each, the start of the run that first found it so. What an earlier
 * run has noted is put in by {@link #remember}; only what this run finds as well is given out by {@link #forEachCurrent}.
 *
 * <p>Flat arrays: five longs a chunk, four of digest and one of time, in blocks that come as they are needed, and a table
 * of positions with open addressing. At most 60 bytes a chunk. Safe for use by any thread.
 */
final class GraceBook {

    private static final int WORDS = 5;
    private static final int TIME = 4;
    private static final int BLOCK_SHIFT = 10;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long start;
    private final long graceSeconds;
    private final long seed = new SplittableRandom().nextLong() | 1;
    private final BitSet current = new BitSet();
    private long[][] blocks = new long[1][];
    private int[] table = new int[1024];
    private int size;

    /** Takes one entry. */
    interface Consumer<E extends Exception> {
        /** @param digest 32 bytes, valid during the call only */
        void accept(byte[] digest, long firstSeconds) throws E;
    }

    /**
     * @param start when this run began, Unix seconds
     * @param graceSeconds how long an unreferenced chunk stays; 0 for no grace, then nothing is noted
     */
    GraceBook(long start, long graceSeconds) {
        this.start = start;
        this.graceSeconds = graceSeconds;
    }

    long graceSeconds() {
        return graceSeconds;
    }

    /** Puts in what an earlier run has noted. A time that has not come yet is worth nothing: the grace begins anew. */
    synchronized void remember(byte[] digest, long firstSeconds) {
        int position = position(digest);
        if (firstSeconds <= start) {
            block(position)[at(position) + TIME] = firstSeconds;
        }
    }

    /**
     * Notes that a chunk is unreferenced now. If it was used after an earlier run had found it unreferenced, which its
     * access time tells, its grace begins anew.
     *
     * @return when its grace is over, Unix seconds
     */
    synchronized long unreferenced(byte[] digest, long accessSeconds) {
        if (graceSeconds == 0) {
            return start;
        }
        int position = position(digest);
        long[] block = block(position);
        int at = at(position) + TIME;
        if (accessSeconds >= block[at]) {
            block[at] = start;
        }
        current.set(position);
        return block[at] + graceSeconds;
    }

    /** The chunk goes now, and is no longer to be noted. */
    synchronized void gone(byte[] digest) {
        if (graceSeconds > 0) {
            current.clear(position(digest));
        }
    }

    /** Number of chunks that this run has found unreferenced, and that stay. */
    synchronized int currentSize() {
        return current.cardinality();
    }

    /** Gives out what this run has found unreferenced, and stays. */
    synchronized <E extends Exception> void forEachCurrent(Consumer<E> consumer) throws E {
        byte[] digest = new byte[8 * TIME];
        for (int position = current.nextSetBit(0); position >= 0; position = current.nextSetBit(position + 1)) {
            long[] block = block(position);
            int at = at(position);
            for (int i = 0; i < TIME; i++) {
                LONGS.set(digest, 8 * i, block[at + i]);
            }
            consumer.accept(digest, block[at + TIME]);
        }
    }

    /** The entry of a digest; a new one begins now. */
    private int position(byte[] digest) {
        if (size + 1 > table.length / 8 * 7) {
            grow();
        }
        long w0 = (long) LONGS.get(digest, 0);
        long w1 = (long) LONGS.get(digest, 8);
        long w2 = (long) LONGS.get(digest, 16);
        long w3 = (long) LONGS.get(digest, 24);
        int slot = slot(w0, w1);
        while (table[slot] != 0) {
            int position = table[slot] - 1;
            long[] block = block(position);
            int at = at(position);
            if (block[at] == w0 && block[at + 1] == w1 && block[at + 2] == w2 && block[at + 3] == w3) {
                return position;
            }
            slot = slot + 1 == table.length ? 0 : slot + 1;
        }
        int position = size++;
        table[slot] = position + 1;
        if (position >>> BLOCK_SHIFT == blocks.length) {
            blocks = Arrays.copyOf(blocks, blocks.length * 2);
        }
        if (blocks[position >>> BLOCK_SHIFT] == null) {
            blocks[position >>> BLOCK_SHIFT] = new long[BLOCK * WORDS];
        }
        long[] block = block(position);
        int at = at(position);
        block[at] = w0;
        block[at + 1] = w1;
        block[at + 2] = w2;
        block[at + 3] = w3;
        block[at + TIME] = start;
        return position;
    }

    private void grow() {
        table = new int[Math.toIntExact(Math.min(Integer.MAX_VALUE - 8L, table.length * 2L))];
        for (int position = 0; position < size; position++) {
            long[] block = block(position);
            int slot = slot(block[at(position)], block[at(position) + 1]);
            while (table[slot] != 0) {
                slot = slot + 1 == table.length ? 0 : slot + 1;
            }
            table[slot] = position + 1;
        }
    }

    /** Digests may have been chosen by somebody, so the slot depends on a secret. */
    private int slot(long w0, long w1) {
        long mixed = (w0 ^ seed) * seed + (w1 ^ Long.rotateLeft(seed, 32)) * 0x9E37_79B9_7F4A_7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8_FEB8_6659_FD93L;
        return (int) ((mixed >>> 32) * table.length >>> 32);
    }

    private long[] block(int position) {
        return blocks[position >>> BLOCK_SHIFT];
    }

    private static int at(int position) {
        return (position & (BLOCK - 1)) * WORDS;
    }

    /** Bytes of all arrays. */
    synchronized long memoryBytes() {
        long blockCount = (size + BLOCK - 1) / BLOCK;
        return blockCount * (8L * BLOCK * WORDS + 16) + 8L * blocks.length + 4L * table.length + current.size() / 8;
    }
}
