package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ChunkDigest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A growing map from digest to a small number, in flat arrays: 33 bytes a slot, at most two thirds of the slots in use.
 * State 0 means that the digest is not there. Not safe for use by more than one thread.
 */
final class DigestStates {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int INITIAL_SLOTS = 1 << 10;

    /** Whoever makes a backup chooses its digests; a seed keeps them from choosing the slots as well. */
    private final long seed = ThreadLocalRandom.current().nextLong() | 1;

    private long[] words = new long[INITIAL_SLOTS * 4];
    private byte[] states = new byte[INITIAL_SLOTS];
    private int size;

    int size() {
        return size;
    }

    /** The state of a digest, 0 if it is not there. */
    byte get(ChunkDigest digest) {
        byte[] bytes = digest.bytes();
        return states[slot(word(bytes, 0, 0), word(bytes, 0, 1), word(bytes, 0, 2), word(bytes, 0, 3))];
    }

    void put(ChunkDigest digest, byte state) {
        put(digest.bytes(), 0, state);
    }

    /** @param state not 0 */
    void put(byte[] source, int offset, byte state) {
        if (size >= states.length / 3 * 2) {
            grow();
        }
        long w0 = word(source, offset, 0);
        long w1 = word(source, offset, 1);
        long w2 = word(source, offset, 2);
        long w3 = word(source, offset, 3);
        int slot = slot(w0, w1, w2, w3);
        if (states[slot] == 0) {
            words[4 * slot] = w0;
            words[4 * slot + 1] = w1;
            words[4 * slot + 2] = w2;
            words[4 * slot + 3] = w3;
            size++;
        }
        states[slot] = state;
    }

    private void grow() {
        long[] oldWords = words;
        byte[] oldStates = states;
        words = new long[Math.multiplyExact(oldWords.length, 2)];
        states = new byte[Math.multiplyExact(oldStates.length, 2)];
        for (int i = 0; i < oldStates.length; i++) {
            if (oldStates[i] != 0) {
                int slot = slot(oldWords[4 * i], oldWords[4 * i + 1], oldWords[4 * i + 2], oldWords[4 * i + 3]);
                System.arraycopy(oldWords, 4 * i, words, 4 * slot, 4);
                states[slot] = oldStates[i];
            }
        }
    }

    private int slot(long w0, long w1, long w2, long w3) {
        int mask = states.length - 1;
        long mixed = (w0 ^ seed) * 0x9E37_79B9_7F4A_7C15L + (w1 ^ w2 ^ w3) * seed;
        int slot = (int) (mixed >>> 32) & mask;
        while (states[slot] != 0
                && !(words[4 * slot] == w0
                        && words[4 * slot + 1] == w1
                        && words[4 * slot + 2] == w2
                        && words[4 * slot + 3] == w3)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static long word(byte[] source, int offset, int index) {
        return (long) LONGS.get(source, offset + 8 * index);
    }
}
