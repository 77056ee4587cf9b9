package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The digests that a mark has met, and those whose chunks it has yet to touch.
 *
 * <p>Two sets in one store. The <em>cache</em> is an exact least-recently-used set of at most {@code capacity} digests: a
 * digest that it holds was touched a short while ago, or is about to be. The <em>batch</em> holds the digests that wait
 * for their touch. A digest lies here once, whether it belongs to one of them or to both, and it stays while either needs
 * it; so a digest that the cache has dropped is still not entered into the batch a second time.
 *
 * <p>All of it is flat: an entry is six longs (four of digest; the two links of the cache's list; the hash chain, the flag
 * and the index that first named it), in arrays that grow as entries come, so that a small run stays small. A table of
 * heads maps hashes to entries. The hash takes the whole digest and a random seed, because whoever writes an index
 * chooses its digests. With <i>slots</i> the greater of capacity and batch size, there are at most
 * {@code slots + slots / 8} entries, and everything together takes at most 64 bytes per slot. The eighth is room for
 * digests that the cache has dropped while they wait in the batch; when it is used up the batch counts as full early.
 *
 * <p>For use by one thread.
 */
final class SeenDigests implements TouchBatch {

    private static final int WORDS = 6;
    private static final int LINKS = 4;
    private static final int STATE = 5;
    private static final int CHUNK_SHIFT = 12;
    private static final int CHUNK_ENTRIES = 1 << CHUNK_SHIFT;
    private static final int NONE = -1;
    /** Marks the end of the cache's list on either side; a link that is {@link #NONE} means "not in the cache". */
    private static final int EDGE = -2;

    private static final long PENDING = 1L << 63;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int capacity;
    private final int batchSize;
    private final int maxEntries;
    private final int maxHeads;
    private final long[] seeds = new SplittableRandom().longs(4).toArray();

    private long[][] entries = new long[1][];
    private int[] heads;
    private int[] pending;
    private int pendingCount;
    private int allocated;
    private int free = NONE;
    private int used;
    private int cached;
    private int newest = EDGE;
    private int oldest = EDGE;
    private long hits;
    private long misses;

    /**
     * @param capacity digests in the cache; 0 for no cache
     * @param batchSize digests in a full batch, at least 1
     */
    SeenDigests(int capacity, int batchSize) {
        this.capacity = capacity;
        this.batchSize = batchSize;
        int slots = slots();
        this.maxEntries = (int) Math.min(Integer.MAX_VALUE - 8L, slots + (long) slots / 8 + 1);
        this.maxHeads = slots;
        this.heads = filled(Math.min(maxHeads, 1024));
        this.pending = new int[Math.min(batchSize, 1024)];
    }

    /**
     * Notes that an index names a digest.
     *
     * @param index number of that index, kept if the digest is new here
     * @return whether the digest has entered the batch; if {@link #batchFull} then says so, it must be flushed before the
     *     next call
     */
    boolean reference(byte[] source, int offset, int index) {
        long w0 = (long) LONGS.get(source, offset);
        long w1 = (long) LONGS.get(source, offset + 8);
        long w2 = (long) LONGS.get(source, offset + 16);
        long w3 = (long) LONGS.get(source, offset + 24);
        int head = head(w0, w1, w2, w3, heads.length);
        int found = heads[head];
        while (found != NONE) {
            long[] chunk = entries[found >>> CHUNK_SHIFT];
            int at = (found & (CHUNK_ENTRIES - 1)) * WORDS;
            if (chunk[at] == w0 && chunk[at + 1] == w1 && chunk[at + 2] == w2 && chunk[at + 3] == w3) {
                return known(found);
            }
            found = chain(chunk[at + STATE]);
        }
        if (capacity > 0) {
            misses++;
        }
        int entry = take();
        if (used > heads.length && heads.length < maxHeads) {
            growHeads();
            head = head(w0, w1, w2, w3, heads.length);
        }
        long[] chunk = entries[entry >>> CHUNK_SHIFT];
        int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS;
        chunk[at] = w0;
        chunk[at + 1] = w1;
        chunk[at + 2] = w2;
        chunk[at + 3] = w3;
        chunk[at + LINKS] = links(NONE, NONE);
        chunk[at + STATE] = PENDING | state(heads[head], index);
        heads[head] = entry;
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, (int) Math.min(batchSize, pending.length * 2L));
        }
        pending[pendingCount++] = entry;
        enterCache(entry);
        return true;
    }

    /** A digest that is here already: in the cache (a hit), or dropped by it and still in the batch (a miss). */
    private boolean known(int entry) {
        if (capacity == 0) {
            return false;
        }
        if (isCached(entry)) {
            hits++;
            if (entry != newest) {
                unlink(entry);
                linkNewest(entry);
            }
        } else {
            misses++;
            enterCache(entry);
        }
        return false;
    }

    private void enterCache(int entry) {
        if (capacity == 0) {
            return;
        }
        linkNewest(entry);
        cached++;
        if (cached > capacity) {
            int victim = oldest;
            unlink(victim);
            setLinks(victim, NONE, NONE);
            cached--;
            if (!isPending(victim)) {
                release(victim);
            }
        }
    }

    /** Whether the batch must be flushed before the next reference. */
    boolean batchFull() {
        return pendingCount >= batchSize || used >= maxEntries;
    }

    /** Empties the batch after its chunks have been touched. */
    void flushed() {
        for (int i = 0; i < pendingCount; i++) {
            int entry = pending[i];
            long[] chunk = entries[entry >>> CHUNK_SHIFT];
            int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS;
            chunk[at + STATE] &= ~PENDING;
            if (!isCached(entry)) {
                release(entry);
            }
        }
        pendingCount = 0;
    }

    @Override
    public int size() {
        return pendingCount;
    }

    @Override
    public int prefix(int position) {
        int entry = pending[position];
        return (int) (entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS] >>> 48);
    }

    @Override
    public void copyDigest(int position, byte[] target, int offset) {
        int entry = pending[position];
        long[] chunk = entries[entry >>> CHUNK_SHIFT];
        int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS;
        for (int i = 0; i < 4; i++) {
            LONGS.set(target, offset + 8 * i, chunk[at + i]);
        }
    }

    /** A digest of the batch, as a value. */
    ChunkDigest digest(int position) {
        byte[] bytes = new byte[ChunkDigest.BYTES];
        copyDigest(position, bytes, 0);
        return ChunkDigest.of(bytes);
    }

    /** The number of the index that first named a digest of the batch. */
    int index(int position) {
        int entry = pending[position];
        return (int) entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS + STATE];
    }

    /** References that the cache answered. */
    long hits() {
        return hits;
    }

    /** References that it did not, 0 without a cache. */
    long misses() {
        return misses;
    }

    /** What 64 bytes each are granted for. */
    int slots() {
        return Math.max(1, Math.max(capacity, batchSize));
    }

    /** Bytes of all arrays as they are now. */
    long memoryBytes() {
        return 8L * WORDS * allocated + 4L * heads.length + 4L * pending.length + 8L * entries.length;
    }

    // The entries. State word: bit 63 pending; bits 62 to 32 the next of the hash chain plus one; the rest the index.

    private static long state(int chain, int index) {
        return ((chain + 1L) << 32) | (index & 0xffff_ffffL);
    }

    private static int chain(long state) {
        return (int) ((state & ~PENDING) >>> 32) - 1;
    }

    private static long links(int newer, int older) {
        return ((long) newer << 32) | (older & 0xffff_ffffL);
    }

    private long links(int entry) {
        return entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS + LINKS];
    }

    private void setLinks(int entry, int newer, int older) {
        entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS + LINKS] = links(newer, older);
    }

    private boolean isCached(int entry) {
        return (int) links(entry) != NONE;
    }

    private boolean isPending(int entry) {
        return entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS + STATE] < 0;
    }

    private void linkNewest(int entry) {
        setLinks(entry, EDGE, newest);
        if (newest == EDGE) {
            oldest = entry;
        } else {
            setLinks(newest, entry, (int) links(newest));
        }
        newest = entry;
    }

    private void unlink(int entry) {
        long links = links(entry);
        int newer = (int) (links >> 32);
        int older = (int) links;
        if (newer == EDGE) {
            newest = older;
        } else {
            setLinks(newer, (int) (links(newer) >> 32), older);
        }
        if (older == EDGE) {
            oldest = newer;
        } else {
            setLinks(older, newer, (int) links(older));
        }
    }

    /** A free entry; there is one, because {@link #batchFull} was heeded. */
    private int take() {
        used++;
        if (free != NONE) {
            int entry = free;
            free = (int) links(entry);
            return entry;
        }
        if (used > allocated) {
            if (allocated == maxEntries) {
                throw new IllegalStateException("the batch was full and has not been flushed");
            }
            int chunk = allocated >>> CHUNK_SHIFT;
            if (chunk == entries.length) {
                entries = Arrays.copyOf(entries, chunk * 2);
            }
            int length = Math.min(CHUNK_ENTRIES, maxEntries - allocated);
            entries[chunk] = new long[length * WORDS];
            allocated += length;
        }
        // Without free entries those in use are exactly the first ones.
        return used - 1;
    }

    private void release(int entry) {
        long[] chunk = entries[entry >>> CHUNK_SHIFT];
        int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS;
        int next = chain(chunk[at + STATE]);
        int head = head(chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3], heads.length);
        if (heads[head] == entry) {
            heads[head] = next;
        } else {
            int before = heads[head];
            while (chainOf(before) != entry) {
                before = chainOf(before);
            }
            setChain(before, next);
        }
        chunk[at + LINKS] = links(NONE, free);
        free = entry;
        used--;
    }

    private int chainOf(int entry) {
        return chain(entries[entry >>> CHUNK_SHIFT][(entry & (CHUNK_ENTRIES - 1)) * WORDS + STATE]);
    }

    private void setChain(int entry, int next) {
        long[] chunk = entries[entry >>> CHUNK_SHIFT];
        int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS + STATE;
        chunk[at] = (chunk[at] & PENDING) | state(next, (int) chunk[at]);
    }

    /** Twice the heads; called before the newest entry is filled in, when all others are in chains. */
    private void growHeads() {
        int[] old = heads;
        int[] grown = filled((int) Math.min(maxHeads, old.length * 2L));
        for (int first : old) {
            int entry = first;
            while (entry != NONE) {
                int next = chainOf(entry);
                long[] chunk = entries[entry >>> CHUNK_SHIFT];
                int at = (entry & (CHUNK_ENTRIES - 1)) * WORDS;
                int head = head(chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3], grown.length);
                setChain(entry, grown[head]);
                grown[head] = entry;
                entry = next;
            }
        }
        heads = grown;
    }

    private int head(long w0, long w1, long w2, long w3, int length) {
        long mixed = (w0 + seeds[0]) * ((w1 + seeds[1]) | 1) + (w2 + seeds[2]) * ((w3 + seeds[3]) | 1);
        mixed ^= mixed >>> 32;
        mixed *= 0x9E37_79B9_7F4A_7C15L;
        return (int) ((mixed >>> 32) * length >>> 32);
    }

    private static int[] filled(int length) {
        int[] heads = new int[length];
        Arrays.fill(heads, NONE);
        return heads;
    }
}
