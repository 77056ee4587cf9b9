package dev.holdfast.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.config.KeepOptions.Rule;
import dev.holdfast.api.config.MaintenanceMode.Operation;
import dev.holdfast.api.schema.SchemaViolationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatastoreConfigTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "_ab", "0.a", "a-b_c.d", "abcdefghijklmnopqrstuvwxyz012345"})
    void safeNamesOf3To32Characters_areTaken(String name) {
        assertThat(DatastoreConfig.of(name, "/s").name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", ".ab", "-ab", "a b", "a/b", "äbc", "abc\n", "abcdefghijklmnopqrstuvwxyz0123456"})
    void otherNames_areRefused(String name) {
        assertThatThrownBy(() -> DatastoreConfig.of(name, "/s"))
                .isInstanceOf(SchemaViolationException.class)
                .hasMessageContaining("3 to 32")
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void commentOfTwoLines_isRefused() {
        assertThatThrownBy(() -> DatastoreConfig.Extras.NONE.withComment(Optional.of("a\nb")))
                .isInstanceOf(SchemaViolationException.class);
    }

    @Test
    void withers_changeOneThingOnly() {
        DatastoreConfig config = DatastoreConfig.of("store1", "/s")
                .withTuning(DatastoreTuning.parse("sync-level=file"))
                .withBackend(BackendConfig.parse("s3,client=c1,bucket=backups"))
                .withExtras(DatastoreConfig.Extras.NONE
                        .withComment(Optional.of("nightly"))
                        .withGcSchedule(Optional.of("daily"))
                        .withKeep(KeepOptions.of(Map.of("last", 3)))
                        .withMaintenance(Optional.of(MaintenanceMode.OFFLINE)));

        assertThat(config.tuning().syncLevel()).isEqualTo(SyncLevel.FILE);
        assertThat(config.backend().bucket()).contains("backups");
        assertThat(config.extras())
                .isEqualTo(new DatastoreConfig.Extras(
                        Optional.of("nightly"),
                        Optional.of("daily"),
                        KeepOptions.of(Map.of("keep-last", 3)),
                        Optional.of(MaintenanceMode.OFFLINE)));
    }

    @Test
    void backend_comesBackFromItsMap() {
        BackendConfig backend = BackendConfig.parse("s3,client=c1,bucket=backups,max-cache-size=64 GiB");

        assertThat(backend.maxCacheSize()).isEqualTo(OptionalLong.of(64L << 30));
        assertThat(BackendConfig.of(backend.toMap())).isEqualTo(backend);
        assertThat(backend.toMap()).containsEntry("max-cache-size", "64 GiB").containsEntry("type", "s3");
        assertThat(BackendConfig.of(Map.of())).isEqualTo(BackendConfig.FILESYSTEM);
        assertThat(BackendConfig.parse("")).isEqualTo(BackendConfig.FILESYSTEM);
        assertThat(BackendConfig.parse("filesystem")).isEqualTo(BackendConfig.FILESYSTEM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3",
                "s3,client=c1",
                "s3,bucket=backups",
                "filesystem,client=c1",
                "filesystem,bucket=backups",
                "max-cache-size=1 GiB",
                "nfs",
                "s3,client=c1,bucket=Backups",
                "s3,client=c1,bucket=ab",
                "s3,client=c 1,bucket=backups",
                "s3,client=c1,bucket=backups,max-cache-size=0",
                "s3,client=c1,bucket=backups,max-cache-size=many"
            })
    void impossibleBackends_areRefused(String text) {
        assertThatThrownBy(() -> BackendConfig.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void retentionPolicy_comesBackFromItsMap() {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("yearly", 1);
        counts.put("keep-last", "3");
        counts.put("daily", null);

        KeepOptions keep = KeepOptions.of(counts);

        assertThat(keep.toMap().toString()).isEqualTo("{last=3, yearly=1}");
        assertThat(keep.count(Rule.LAST)).hasValue(3);
        assertThat(keep.count(Rule.DAILY)).isEqualTo(OptionalInt.empty());
        assertThat(KeepOptions.of(keep.toMap())).isEqualTo(keep).hasSameHashCodeAs(keep);
        assertThat(keep.keepsSomething()).isTrue();
    }

    @Test
    void policyOfZeros_keepsNothingByRule() {
        assertThat(KeepOptions.of(Map.of("last", 0, "daily", 0)).keepsSomething())
                .isFalse();
        assertThat(KeepOptions.NONE.keepsSomething()).isFalse();
        assertThat(KeepOptions.of(Map.of("last", 0)).count(Rule.LAST)).hasValue(0);
    }

    @Test
    void wrongPolicies_areRefused() {
        assertThatThrownBy(() -> KeepOptions.of(Map.of("dayly", 1))).hasMessageContaining("dayly");
        assertThatThrownBy(() -> KeepOptions.of(Map.of("daily", -1)))
                .isInstanceOf(SchemaViolationException.class)
                .hasMessageContaining("keep-daily")
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> KeepOptions.of(Map.of("daily", 1.5))).isInstanceOf(SchemaViolationException.class);
        assertThatThrownBy(() -> KeepOptions.of(Map.of("daily", 1, "keep-daily", 2)))
                .hasMessageContaining("twice");
    }

    @ParameterizedTest
    @CsvSource({"READ_ONLY,true,true,false", "OFFLINE,true,false,false", "DELETE,false,false,false"})
    void maintenance_refusesWorkByItsKind(MaintenanceMode mode, boolean lookup, boolean read, boolean write) {
        assertThat(mode.allows(Operation.LOOKUP)).isEqualTo(lookup);
        assertThat(mode.allows(Operation.READ)).isEqualTo(read);
        assertThat(mode.allows(Operation.WRITE)).isEqualTo(write);
    }
}
