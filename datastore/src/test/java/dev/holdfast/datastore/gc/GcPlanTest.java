package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.datastore.chunk.SweepVerdict;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class GcPlanTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/gc/min-atime.csv", numLinesToSkip = 1)
    void cutoff_isThatOfTheVector(long start, long oldestWriter, Integer minutes, long expected) {
        GcPlan plan = GcPlan.of(start, OptionalLong.of(oldestWriter), minutes == null ? 1445 : minutes);
        assertThat(plan.cutoff()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/gc/decision.csv", numLinesToSkip = 1)
    void verdict_isThatOfTheVector(long atime, long cutoff, long oldestWriter, boolean bad, String outcome) {
        SweepVerdict expected = switch (outcome) {
            case "removed_chunks", "removed_bad" -> SweepVerdict.REMOVE;
            case "pending_chunks", "still_bad" -> SweepVerdict.PENDING;
            case "disk_chunks", "disk_bytes only" -> SweepVerdict.KEEP;
            default -> throw new IllegalArgumentException(outcome);
        };
        assertThat(new GcPlan(1704164645, oldestWriter, cutoff, 86_700).judge(atime))
                .isEqualTo(expected);
        assertThat(outcome.contains("bad") || outcome.contains("only")).isEqualTo(bad);
    }

    @Test
    void noWriter_meansThatTheStartStandsIn() {
        GcPlan plan = GcPlan.of(1704164645, OptionalLong.empty(), 1445);
        assertThat(plan.oldestWriter()).isEqualTo(1704164645);
        assertThat(plan.cutoff()).isEqualTo(1704077945);
        assertThat(plan.windowSeconds()).isEqualTo(86700);
    }

    @Property
    void whatAWriterTouched_isNeverRemoved(
            @ForAll @LongRange(min = 1_000_000_000, max = 4_000_000_000L) long start,
            @ForAll @LongRange(max = 10_000_000) long writerAge,
            @ForAll @IntRange(min = 1, max = 2880) int minutes,
            @ForAll @LongRange(max = 10_000_000) long later) {
        GcPlan plan = GcPlan.of(start, OptionalLong.of(start - writerAge), minutes);
        assertThat(plan.judge(start - writerAge + later)).isEqualTo(SweepVerdict.KEEP);
        assertThat(plan.judge(start - minutes * 60L)).isNotEqualTo(SweepVerdict.REMOVE);
    }

    @Property
    void writerInTheFuture_doesNotMoveTheLimitForward(@ForAll @LongRange(max = 10_000) long ahead) {
        assertThat(GcPlan.of(2_000_000_000, OptionalLong.of(2_000_000_000 + ahead), 1445))
                .isEqualTo(GcPlan.of(2_000_000_000, OptionalLong.empty(), 1445));
    }
}
