package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TestClockTest {

    @Test
    void clock_standsUntilMoved() {
        TestClock clock = TestClock.atSecond(1000);
        assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(1000));
        clock.advance(Duration.ofSeconds(-1));
        assertThat(clock.millis()).isEqualTo(999_000);
        clock.set(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        assertThat(clock.withZone(ZoneOffset.UTC)).isSameAs(clock);
        assertThatThrownBy(() -> clock.withZone(ZoneId.of("Europe/Vienna")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
