package dev.holdfast.api.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GarbageCollectionStatusTest {

    private static final List<String> KEYS = List.of(
            "upid",
            "index-file-count",
            "index-data-bytes",
            "disk-bytes",
            "disk-chunks",
            "removed-bytes",
            "removed-chunks",
            "pending-bytes",
            "pending-chunks",
            "removed-bad",
            "still-bad",
            "cache-stats");

    private static final GarbageCollectionStatus STATUS = new GarbageCollectionStatus(
            Optional.of("UPID:x"), 8, 1_600_000, 800_336, 12, 56, 1, 5, 2, 3, 4, Optional.of(new CacheStats(12, 13)));

    @Test
    void map_hasTheKeysOfPbsInTheirOrder() {
        assertThat(STATUS.toMap().keySet()).containsExactlyElementsOf(KEYS);
        assertThat(STATUS.toMap().values())
                .map(String::valueOf)
                .containsExactly(
                        "UPID:x",
                        "8",
                        "1600000",
                        "800336",
                        "12",
                        "56",
                        "1",
                        "5",
                        "2",
                        "3",
                        "4",
                        "{hits=12, misses=13}");
    }

    @Test
    void status_comesBackFromItsMap() {
        assertThat(GarbageCollectionStatus.fromMap(STATUS.toMap())).isEqualTo(STATUS);
        assertThat(GarbageCollectionStatus.fromMap(GarbageCollectionStatus.NONE.toMap()))
                .isEqualTo(GarbageCollectionStatus.NONE);
    }

    @Test
    void unknownTaskAndNoCache_areNullAndAbsent() {
        assertThat(GarbageCollectionStatus.NONE.toMap())
                .containsEntry("upid", null)
                .doesNotContainKey("cache-stats");
    }

    @Test
    void unknownKeys_areIgnored() {
        Map<String, Object> map = new LinkedHashMap<>(STATUS.toMap());
        map.put("later", List.of());

        assertThat(GarbageCollectionStatus.fromMap(map)).isEqualTo(STATUS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index-file-count",
                "index-data-bytes",
                "disk-bytes",
                "disk-chunks",
                "removed-bytes",
                "removed-chunks",
                "pending-bytes",
                "pending-chunks",
                "removed-bad",
                "still-bad"
            })
    void requiredKeys_mustBeThereAndWholeNumbers(String key) {
        Map<String, Object> map = new LinkedHashMap<>(STATUS.toMap());
        for (Object wrong : List.of("1", -1L, 1.0, true, BigInteger.ONE.shiftLeft(63))) {
            map.put(key, wrong);
            assertThatThrownBy(() -> GarbageCollectionStatus.fromMap(map)).hasMessageContaining(key);
        }
        map.remove(key);
        assertThatThrownBy(() -> GarbageCollectionStatus.fromMap(map))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }

    @Test
    void optionalKeys_mayBeAbsentButNotWrong() {
        Map<String, Object> map = new LinkedHashMap<>(STATUS.toMap());
        map.remove("upid");
        map.remove("cache-stats");
        GarbageCollectionStatus status = GarbageCollectionStatus.fromMap(map);
        assertThat(status.upid()).isEmpty();
        assertThat(status.cacheStats()).isEmpty();

        map.put("cache-stats", Map.of("hits", 1));
        assertThatThrownBy(() -> GarbageCollectionStatus.fromMap(map)).hasMessageContaining("misses");
        map.put("cache-stats", 1);
        assertThatThrownBy(() -> GarbageCollectionStatus.fromMap(map)).hasMessageContaining("cache-stats");
        map.put("cache-stats", null);
        map.put("upid", 1);
        assertThatThrownBy(() -> GarbageCollectionStatus.fromMap(map)).hasMessageContaining("upid");
    }

    @Test
    void derivedFigures_areThoseOfPbs() {
        assertThat(STATUS.deduplicationFactor()).isEqualTo(1_600_000.0 / 800_336);
        assertThat(STATUS.usagePercent()).isEqualTo(80_033_600.0 / 1_600_000);
        assertThat(STATUS.averageChunkBytes()).isEqualTo(66_694);
    }

    @Test
    void emptyStore_hasFiniteFigures() {
        assertThat(GarbageCollectionStatus.NONE.deduplicationFactor()).isEqualTo(1.0);
        assertThat(GarbageCollectionStatus.NONE.usagePercent()).isZero();
        assertThat(GarbageCollectionStatus.NONE.averageChunkBytes()).isZero();
    }
}
