package dev.holdfast.datastore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.manifest.BackupManifest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SkipRuleTest {

    private static final long START = 0x6553F164;
    private static final String UPID = "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:verify:store1:root@pam:";

    private static final BackupManifest NEW = BackupManifest.create(SnapshotId.parse("host/a/2024-01-01T00:00:00Z"));

    private static BackupManifest verified(Object state) {
        return NEW.withUnprotected("verify_state", Map.of("upid", UPID, "state", state));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ok", "failed"})
    void anyResult_counts(String state) {
        BackupManifest manifest = verified(state);
        assertThat(SkipRule.VERIFIED.skips(manifest, START)).isTrue();
        assertThat(SkipRule.NOTHING.skips(manifest, START)).isFalse();
        assertThat(VerifyState.of(manifest)).hasValueSatisfying(found -> {
            assertThat(found.startSeconds()).isEqualTo(START);
            assertThat(found.good()).isEqualTo(state.equals("ok"));
        });
    }

    @Test
    void noResult_isVerified() {
        assertThat(SkipRule.VERIFIED.skips(NEW, START)).isFalse();
        assertThat(SkipRule.verifiedWithin(1000).skips(NEW, START)).isFalse();
    }

    @Test
    void resultThatDoesNotParse_countsAsNone() {
        assertThat(SkipRule.VERIFIED.skips(verified("good"), START)).isFalse();
        assertThat(SkipRule.VERIFIED.skips(verified(5), START)).isFalse();
        assertThat(SkipRule.VERIFIED.skips(NEW.withUnprotected("verify_state", "ok"), START))
                .isFalse();
        assertThat(SkipRule.VERIFIED.skips(
                        NEW.withUnprotected("verify_state", Map.of("upid", "UPID:x", "state", "ok")), START))
                .isFalse();
    }

    /** Whole days, and only more than the given number counts as outdated. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "86399, 0, true",
        "86400, 0, false",
        "172799, 1, true",
        "172800, 1, false",
        "-5, 0, true",
        "2592000, 30, true",
        "2678400, 30, false"
    })
    void age_isCountedInWholeDays(long seconds, int days, boolean skipped) {
        assertThat(SkipRule.verifiedWithin(days).skips(verified("ok"), START + seconds))
                .isEqualTo(skipped);
    }

    @Test
    void negativeDays_areRefused() {
        assertThatThrownBy(() -> SkipRule.verifiedWithin(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
