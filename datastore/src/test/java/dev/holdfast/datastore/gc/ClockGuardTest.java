package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.datastore.error.SafetyException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockGuardTest {

    private static final long START = 1_704_164_645;

    private long wallSeconds = START;
    private long monotonicSeconds = 5;

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(wallSeconds);
        }
    };

    private final ClockGuard guard = new ClockGuard("store1", clock, () -> monotonicSeconds * 1_000_000_000L);

    @Test
    void timeThatPassesOnBothClocks_isNoStep() {
        wallSeconds += 108_000;
        monotonicSeconds += 108_000;
        assertThatCode(guard::check).doesNotThrowAnyException();
        assertThat(guard.elapsedMillis()).isEqualTo(108_000_000);
        assertThat(guard.startSeconds()).isEqualTo(START);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, -61, 86_400, -86_400})
    void step_isRefused(long step) {
        wallSeconds += step;
        assertThat(guard.isSteady()).isFalse();
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(guard::check)
                .withMessageContaining(step > 0 ? "forward" : "back")
                .withMessageContaining(Math.abs(step) + " s");
    }

    @ParameterizedTest
    @ValueSource(longs = {60, -60, 0})
    void smallStep_isTolerated(long step) {
        wallSeconds += step;
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {61, -61, 1_000_000})
    void probeOfAnotherTime_isRefused(long off) {
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> guard.checkProbe("chunk", START + off))
                .withMessageContaining("chunk");
    }

    @Test
    void toleratedDifferences_addedUp_mustStayBelowTheWindow() throws SafetyException {
        guard.checkProbe("chunk", START - 40);
        wallSeconds -= 30;
        assertThat(guard.isSteady()).isTrue();
        assertThatCode(() -> guard.checkWindow(GcPlan.of(START, OptionalLong.empty(), 1445)))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> guard.checkWindow(GcPlan.of(START, OptionalLong.empty(), 1)))
                .withMessageContaining("gc-atime-cutoff");
    }
}
