package dev.holdfast.datastore.verify;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A map from digests to one int, in flat arrays: 36 bytes a slot and no object per digest, for it holds every chunk of a
 * store. Open addressing; a digest is its own hash. Never shrinks, never forgets. Safe for use by any thread.
 */
final class DigestTable {

    /** What {@link #get} says of a digest that is not there; no value may be this. */
    static final int ABSENT = Integer.MIN_VALUE;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int WORDS = 4;

    /** 268 million slots: the four words of each then fill the longest array that there is. */
    private static final int MAX_SLOTS = 1 << 28;

    private long[] words = new long[WORDS << 12];
    private int[] values = emptyValues(1 << 12);
    private int size;

    private static int[] emptyValues(int slots) {
        int[] values = new int[slots];
        Arrays.fill(values, ABSENT);
        return values;
    }

    synchronized int size() {
        return size;
    }

    /** The value of the digest whose 32 bytes begin at {@code offset}. */
    synchronized int get(byte[] digest, int offset) {
        long a = word(digest, offset, 0);
        long b = word(digest, offset, 1);
        long c = word(digest, offset, 2);
        long d = word(digest, offset, 3);
        return values[slot(a, b, c, d)];
    }

    /** Sets a value. @return the value before */
    synchronized int put(byte[] digest, int value) {
        if (size >= values.length / 4 * 3) {
            grow();
        }
        long a = word(digest, 0, 0);
        long b = word(digest, 0, 1);
        long c = word(digest, 0, 2);
        long d = word(digest, 0, 3);
        int slot = slot(a, b, c, d);
        int before = values[slot];
        if (before == ABSENT) {
            set(slot, a, b, c, d);
            size++;
        }
        values[slot] = value;
        return before;
    }

    private static long word(byte[] digest, int offset, int word) {
        return (long) LONG.get(digest, offset + 8 * word);
    }

    private void set(int slot, long a, long b, long c, long d) {
        int at = slot * WORDS;
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
    }

    /** Where it is, or the free slot where it would be. */
    private int slot(long a, long b, long c, long d) {
        int mask = values.length - 1;
        int slot = (int) b & mask;
        while (values[slot] != ABSENT) {
            int at = slot * WORDS;
            if (words[at] == a && words[at + 1] == b && words[at + 2] == c && words[at + 3] == d) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int slots = values.length * 2;
        if (slots > MAX_SLOTS) {
            throw new IllegalStateException("more than 200 million chunks in one run; verify by namespace or group");
        }
        long[] oldWords = words;
        int[] oldValues = values;
        words = new long[slots * WORDS];
        values = emptyValues(slots);
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != ABSENT) {
                int at = i * WORDS;
                int slot = slot(oldWords[at], oldWords[at + 1], oldWords[at + 2], oldWords[at + 3]);
                set(slot, oldWords[at], oldWords[at + 1], oldWords[at + 2], oldWords[at + 3]);
                values[slot] = oldValues[i];
            }
        }
    }
}
