package dev.holdfast.archive.chunk;

/**
 * Cuts where a rolling hash over the last 64 bytes hits one of a few values: PBS's chunker, cut for cut, so that a
 * backup made here shares its chunks with those already there.
 *
 * <p>With a target size {@code avg} (a power of two), a chunk ends behind the first byte at which it is at least {@code
 * avg/4} long and the low bits of the hash, under the mask {@code 2·avg − 1}, are one of the three largest values; it
 * ends at {@code 4·avg} in any case. The largest values, not the smallest, because the hash of a constant stream is 0,
 * and a run of zeros should give few long chunks rather than many short ones.
 *
 * <p>The hash is a cyclic polynomial of 32 bits. A window of 64 is twice the width, so that a byte that leaves has been
 * rotated back to where it began and is removed by its plain table value; the hash is therefore a function of the last
 * 64 bytes alone. Two things follow. The first {@code avg/4 − 64} bytes of a chunk need not be hashed at all, since no
 * cut may fall there. And the bytes that leave the window can be read from the caller's buffer; only the first 64 of a
 * piece come from a copy that was kept of the previous one.
 */
public final class BuzhashChunker implements Chunker {

    /** Target size of PBS for archives: 4 MiB. */
    public static final int ARCHIVE_AVERAGE = 4 << 20;

    /** Target size of PBS for catalogues: 512 KiB. */
    public static final int CATALOG_AVERAGE = 512 << 10;

    private static final int WINDOW = 64;

    private final int minimum;
    private final int maximum;
    private final int mask;
    private final int threshold;

    /** The last 64 bytes that were hashed; the one at place n of the chunk is in slot n mod 64. */
    private final byte[] window = new byte[WINDOW];

    private int hash;
    private int taken;

    /** @param average target size in bytes, a power of two, 64 KiB to 4 MiB */
    public BuzhashChunker(int average) {
        if (Integer.bitCount(average) != 1 || average < 1 << 16 || average > 1 << 22) {
            throw new IllegalArgumentException(
                    "average chunk size must be a power of two, 65536 to 4194304 bytes: " + average);
        }
        this.minimum = average / 4;
        this.maximum = average * 4;
        this.mask = 2 * average - 1;
        this.threshold = mask - 2;
    }

    @Override
    public int maximumSize() {
        return maximum;
    }

    @Override
    public void reset() {
        hash = 0;
        taken = 0;
    }

    @Override
    public int scan(byte[] buffer, int offset, int length) {
        int end = offset + length;
        int at = skipAndFill(buffer, offset, end);
        if (at == end && taken < minimum) {
            return 0;
        }
        if (at > offset && taken == minimum && isCut(hash)) {
            reset();
            return at - offset;
        }
        int stop = (int) Math.min(end, (long) at + (maximum - taken));
        int cut = rollThroughWindow(buffer, at, Math.min(stop, at + WINDOW));
        if (cut < 0) {
            cut = rollThroughBuffer(buffer, at, stop);
        }
        if (cut >= 0) {
            reset();
            return cut - offset;
        }
        return 0;
    }

    /** Takes bytes in which no cut may fall, up to the minimum size; the last 64 of them fill the window. */
    private int skipAndFill(byte[] buffer, int from, int end) {
        int at = from;
        int unhashed = minimum - WINDOW - taken;
        if (unhashed > 0) {
            int n = Math.min(unhashed, end - at);
            taken += n;
            at += n;
        }
        int[] table = BuzhashTable.VALUES;
        while (taken < minimum && at < end) {
            byte in = buffer[at++];
            window[taken++ & (WINDOW - 1)] = in;
            hash = Integer.rotateLeft(hash, 1) ^ table[in & 0xff];
        }
        return at;
    }

    /** Rolls over bytes whose predecessors in the window may lie in an earlier buffer. @return the cut, or -1 */
    private int rollThroughWindow(byte[] buffer, int from, int stop) {
        int[] table = BuzhashTable.VALUES;
        for (int at = from; at < stop; ) {
            byte in = buffer[at++];
            int slot = taken++ & (WINDOW - 1);
            hash = Integer.rotateLeft(hash, 1) ^ table[window[slot] & 0xff] ^ table[in & 0xff];
            window[slot] = in;
            if (isCut(hash) || taken >= maximum) {
                return at;
            }
        }
        return -1;
    }

    /** Rolls over the bytes from 64 behind {@code from} on; all that leave the window are in the buffer. */
    private int rollThroughBuffer(byte[] buffer, int from, int stop) {
        int[] table = BuzhashTable.VALUES;
        int h = hash;
        int m = mask;
        int limit = threshold;
        int first = from + WINDOW;
        for (int at = first; at < stop; at++) {
            h = Integer.rotateLeft(h, 1) ^ table[buffer[at - WINDOW] & 0xff] ^ table[buffer[at] & 0xff];
            if ((h & m) >= limit) {
                return at + 1;
            }
        }
        if (stop > first) {
            hash = h;
            taken += stop - first;
            for (int back = WINDOW; back > 0; back--) {
                window[(taken - back) & (WINDOW - 1)] = buffer[stop - back];
            }
            if (taken >= maximum) {
                return stop;
            }
        }
        return -1;
    }

    private boolean isCut(int h) {
        return (h & mask) >= threshold;
    }
}
