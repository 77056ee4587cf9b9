package dev.holdfast.datastore.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DigestTableTest {

    /** Few distinct bytes make many digests that share a slot. */
    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    void table_agreesWithAMap(
            @ForAll @IntRange(max = 20_000) int count,
            @ForAll @IntRange(min = 1, max = 256) int symbols,
            @ForAll long seed) {
        Random random = new Random(seed);
        DigestTable table = new DigestTable();
        Map<ChunkDigest, Integer> map = new HashMap<>();
        byte[] digest = new byte[40];
        for (int i = 0; i < count; i++) {
            for (int b = 0; b < 40; b++) {
                digest[b] = (byte) random.nextInt(symbols);
            }
            ChunkDigest key = ChunkDigest.of(digest, 8);
            assertThat(table.get(digest, 8)).isEqualTo(map.getOrDefault(key, DigestTable.ABSENT));
            int value = random.nextInt(10) - 5;
            Integer before = map.put(key, value);
            assertThat(table.put(key.bytes(), value)).isEqualTo(before == null ? DigestTable.ABSENT : before);
            assertThat(table.get(digest, 8)).isEqualTo(value);
        }
        assertThat(table.size()).isEqualTo(map.size());
        map.forEach((key, value) -> assertThat(table.get(key.bytes(), 0)).isEqualTo(value));
    }

    @Example
    void zeroDigest_isADigestLikeAnyOther() {
        DigestTable table = new DigestTable();
        byte[] zeros = new byte[32];
        assertThat(table.get(zeros, 0)).isEqualTo(DigestTable.ABSENT);
        table.put(zeros, 0);
        assertThat(table.get(zeros, 0)).isZero();
        assertThat(table.size()).isEqualTo(1);
    }
}
