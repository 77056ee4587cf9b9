package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SeenDigestsTest {

    /** The same in objects: an access-ordered map is an exact LRU. */
    private static final class Model {
        final int capacity;
        final LinkedHashMap<Integer, Boolean> cache = new LinkedHashMap<>(16, 0.75f, true);
        final Map<Integer, Integer> pending = new HashMap<>();
        long hits;
        long misses;

        Model(int capacity) {
            this.capacity = capacity;
        }

        boolean reference(int value, int index) {
            if (capacity > 0) {
                if (cache.get(value) != null) {
                    hits++;
                    return false;
                }
                misses++;
                cache.put(value, true);
                if (cache.size() > capacity) {
                    cache.remove(cache.keySet().iterator().next());
                }
            }
            return pending.putIfAbsent(value, index) == null;
        }
    }

    @Property(tries = 300)
    void references_answerAsAnExactLruWithABatchBesideIt(
            @ForAll @IntRange(max = 20) int capacity,
            @ForAll @IntRange(min = 1, max = 20) int batch,
            @ForAll @Size(max = 400) List<@IntRange(max = 40) Integer> references) {
        SeenDigests seen = new SeenDigests(capacity, batch);
        Model model = new Model(capacity);
        int index = 0;
        for (int value : references) {
            boolean entered = seen.reference(digest(value), 0, index);
            assertThat(entered).isEqualTo(model.reference(value, index));
            assertThat(pending(seen)).isEqualTo(model.pending);
            assertThat(seen.size()).isLessThanOrEqualTo(batch);
            if (model.pending.size() == batch) {
                assertThat(seen.batchFull()).isTrue();
            }
            if (seen.batchFull()) {
                seen.flushed();
                model.pending.clear();
            }
            index++;
        }
        assertThat(seen.hits()).isEqualTo(model.hits);
        assertThat(seen.misses()).isEqualTo(model.misses);
    }

    @Property(tries = 20)
    void manyDigests_surviveGrowthOfTheTables(@ForAll @IntRange(min = 3000, max = 20000) int distinct) {
        SeenDigests seen = new SeenDigests(distinct, distinct);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < distinct; i++) {
                assertThat(seen.reference(digest(i), 0, i)).isEqualTo(round == 0);
            }
        }
        assertThat(seen.hits()).isEqualTo(distinct);
        assertThat(seen.misses()).isEqualTo(distinct);
        assertThat(seen.batchFull()).isTrue();
        assertThat(pending(seen)).hasSize(distinct);
        Set<Integer> prefixes = new HashSet<>();
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.prefix(i)).isEqualTo(seen.digest(i).prefix());
            prefixes.add(seen.prefix(i));
        }
        assertThat(prefixes).hasSizeGreaterThan(1);
    }

    @Test
    void memory_isAtMost64BytesASlot() {
        for (int[] sizes :
                new int[][] {{1 << 18, 1 << 18}, {300_000, 1024}, {1000, 200_000}, {0, 65_536}, {131_071, 1}}) {
            SeenDigests seen = new SeenDigests(sizes[0], sizes[1]);
            assertThat(seen.memoryBytes()).isLessThan(16_000);
            // Old digests stay wanted while new ones pass through the batch: the worst case for what is kept.
            for (int i = 0; i < 3 * seen.slots(); i++) {
                seen.reference(digest(i), 0, i);
                if (seen.batchFull()) {
                    seen.flushed();
                }
                seen.reference(digest(Math.max(0, i - seen.slots() / 2)), 0, i);
                if (seen.batchFull()) {
                    seen.flushed();
                }
            }
            assertThat((double) seen.memoryBytes() / seen.slots()).isLessThanOrEqualTo(64.0);
        }
    }

    @Test
    void smallRun_takesLittleMemoryWhateverTheCapacity() {
        SeenDigests seen = new SeenDigests(8_388_608, 16_777_216);
        for (int i = 0; i < 1000; i++) {
            seen.reference(digest(i), 0, 0);
        }
        assertThat(seen.memoryBytes()).isLessThan(1_000_000);
    }

    @Test
    void digest_comesBackAsItWas() {
        byte[] bytes = new byte[40];
        for (int i = 0; i < 40; i++) {
            bytes[i] = (byte) (0xf0 + i);
        }
        SeenDigests seen = new SeenDigests(1, 4);
        seen.reference(bytes, 8, 77);
        assertThat(seen.digest(0)).isEqualTo(ChunkDigest.of(bytes, 8));
        assertThat(seen.prefix(0)).isEqualTo(0xf8f9);
        assertThat(seen.index(0)).isEqualTo(77);
    }

    private static Map<Integer, Integer> pending(SeenDigests seen) {
        Map<Integer, Integer> values = new HashMap<>();
        List<Integer> doubles = new ArrayList<>();
        byte[] target = new byte[32];
        for (int i = 0; i < seen.size(); i++) {
            seen.copyDigest(i, target, 0);
            if (values.put(ByteBuffer.wrap(target).getInt(28), seen.index(i)) != null) {
                doubles.add(i);
            }
        }
        assertThat(doubles).isEmpty();
        return values;
    }

    private static byte[] digest(int value) {
        ByteBuffer buffer = ByteBuffer.allocate(32);
        buffer.putInt(value * 0x9E3779B9).putInt(28, value);
        return buffer.array();
    }
}
