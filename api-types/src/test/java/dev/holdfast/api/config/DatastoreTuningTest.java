package dev.holdfast.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.schema.SchemaViolationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatastoreTuningTest {

    @Test
    void unsetOptions_haveTheirDefaults() {
        DatastoreTuning tuning = DatastoreTuning.DEFAULTS;

        assertThat(tuning.chunkOrder()).isEqualTo(ChunkOrder.INODE);
        assertThat(tuning.syncLevel()).isEqualTo(SyncLevel.FILESYSTEM);
        assertThat(tuning.gcAtimeSafetyCheck()).isTrue();
        assertThat(tuning.gcAtimeCutoffMinutes()).isEqualTo(1445);
        assertThat(tuning.gcCacheCapacity()).isEqualTo(1_048_576);
        assertThat(tuning.gcPrefetchBatchSize()).isEqualTo(OptionalInt.empty());
        assertThat(tuning.gcMarking()).isEqualTo(GcMarking.ACCESS_TIME);
        assertThat(tuning.gcGraceMinutes()).isZero();
        assertThat(tuning.gcTouchWorkers()).isEqualTo(8);
        assertThat(tuning.defaultVerificationWorkers()).isEqualTo(4);
        assertThat(tuning.defaultVerificationReaders()).isEqualTo(1);
        assertThat(tuning.toPropertyString()).isEmpty();
        assertThat(tuning.toMap()).isEmpty();
    }

    @Test
    void setOptions_haveTheirValues() {
        DatastoreTuning tuning = DatastoreTuning.parse("chunk-order=none,sync-level=file,gc-atime-safety-check=0,"
                + "gc-atime-cutoff=60,gc-cache-capacity=0,gc-prefetch-batch-size=1024,gc-marking=mark-set,gc-grace=1440,"
                + "gc-touch-workers=3,"
                + "default-verification-workers=32,default-verification-readers=2");

        assertThat(tuning.chunkOrder()).isEqualTo(ChunkOrder.NONE);
        assertThat(tuning.syncLevel()).isEqualTo(SyncLevel.FILE);
        assertThat(tuning.gcAtimeSafetyCheck()).isFalse();
        assertThat(tuning.gcAtimeCutoffMinutes()).isEqualTo(60);
        assertThat(tuning.gcCacheCapacity()).isZero();
        assertThat(tuning.gcPrefetchBatchSize()).hasValue(1024);
        assertThat(tuning.gcMarking()).isEqualTo(GcMarking.MARK_SET);
        assertThat(tuning.gcGraceMinutes()).isEqualTo(1440);
        assertThat(tuning.gcTouchWorkers()).isEqualTo(3);
        assertThat(tuning.defaultVerificationWorkers()).isEqualTo(32);
        assertThat(tuning.defaultVerificationReaders()).isEqualTo(2);
    }

    @Test
    void unknownOptions_areKeptInTheirPlace() {
        DatastoreTuning tuning = DatastoreTuning.parse("later=x,gc-atime-cutoff=60,other=\"a,b\"")
                .with("gc-atime-cutoff", "61")
                .with("sync-level", "none");

        assertThat(tuning.toPropertyString()).isEqualTo("later=x,gc-atime-cutoff=61,other=\"a,b\",sync-level=none");
        assertThat(DatastoreTuning.parse(tuning.toPropertyString()))
                .isEqualTo(tuning)
                .hasSameHashCodeAs(tuning);
    }

    @Test
    void mapForm_hasNumbersAndBooleansAsSuch() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("gc-prefetch-batch-size", 1_048_576);
        map.put("gc-atime-safety-check", false);
        map.put("chunk-order", "inode");
        map.put("unknown", "1");

        DatastoreTuning tuning = DatastoreTuning.of(map);

        Map<String, Object> typed = new LinkedHashMap<>(map);
        typed.put("gc-prefetch-batch-size", 1_048_576L);
        assertThat(tuning.toMap()).containsExactlyEntriesOf(typed);
        assertThat(DatastoreTuning.of(tuning.toMap())).isEqualTo(tuning);
    }

    @Test
    void keyWithoutValue_isNotSet() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("gc-prefetch-batch-size", null);

        assertThat(DatastoreTuning.of(map).isSet("gc-prefetch-batch-size")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "gc-prefetch-batch-size,1023",
        "gc-prefetch-batch-size,16777217",
        "gc-prefetch-batch-size,1048576.0",
        "gc-atime-cutoff,0",
        "gc-atime-cutoff,2881",
        "gc-cache-capacity,-1",
        "gc-cache-capacity,8388609",
        "gc-marking,atime",
        "gc-grace,-1",
        "gc-grace,525601",
        "default-verification-workers,33",
        "default-verification-readers,0",
        "chunk-order,Inode",
        "sync-level,disk",
        "gc-atime-safety-check,maybe"
    })
    void valueOutOfBounds_isRefusedWithNameAndValue(String name, String value) {
        assertThatThrownBy(() -> DatastoreTuning.DEFAULTS.with(name, value))
                .isInstanceOf(SchemaViolationException.class)
                .hasMessageStartingWith(name + " must be ")
                .hasMessageEndingWith("not '" + value + "'");
        assertThatThrownBy(() -> DatastoreTuning.parse(name + "=" + value))
                .isInstanceOf(SchemaViolationException.class);
        assertThatThrownBy(() -> DatastoreTuning.of(Map.of(name, value))).isInstanceOf(SchemaViolationException.class);
    }

    @Test
    void unknownOption_cannotBeSetButUnset() {
        assertThatThrownBy(() -> DatastoreTuning.DEFAULTS.with("gc-cutoff", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gc-cutoff")
                .hasMessageContaining("gc-atime-cutoff");
        assertThat(DatastoreTuning.parse("later=x").without("later")).isEqualTo(DatastoreTuning.DEFAULTS);
    }

    @Test
    void changes_leaveTheOriginal() {
        DatastoreTuning one = DatastoreTuning.parse("gc-atime-cutoff=60");

        assertThat(one.without("gc-atime-cutoff").gcAtimeCutoffMinutes()).isEqualTo(1445);
        assertThat(one.isSet("gc-atime-cutoff")).isTrue();
        assertThat(one.gcAtimeCutoffMinutes()).isEqualTo(60);
        assertThatThrownBy(() -> one.values().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> one.toMap().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void recommendedBatch_isInsideTheBounds() {
        assertThat(DatastoreTuning.DEFAULTS
                        .with("gc-prefetch-batch-size", Integer.toString(DatastoreTuning.RECOMMENDED_BATCH_SIZE))
                        .gcPrefetchBatchSize())
                .hasValue(1_048_576);
        assertThat(DatastoreTuning.option("gc-prefetch-batch-size")
                        .orElseThrow()
                        .reason())
                .contains("1024", "16777216", "1048576");
    }
}
