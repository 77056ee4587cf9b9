package dev.holdfast.datastore.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.prune.PrunePlan.Decision;
import dev.holdfast.datastore.prune.PrunePlan.Mark;
import dev.holdfast.datastore.prune.PrunePlanner.Candidate;
import dev.holdfast.datastore.prune.PrunePlanner.Protection;
import dev.holdfast.datastore.prune.PrunePlanner.State;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PrunePlannerTest {

    private static final BackupGroup GROUP = BackupGroup.parse("vm/100");
    private static final long DAY = 86_400;

    // --- vectors of an independent implementation
    // ---------------------------------------------------------------------

    static Stream<Arguments> vectors() throws IOException {
        try (InputStream in = PrunePlannerTest.class.getResourceAsStream("vectors.json")) {
            List<Arguments> vectors = new ArrayList<>();
            for (JsonNode vector : JsonMapper.shared().readTree(in)) {
                vectors.add(Arguments.of(vector.get("name").asString(), vector));
            }
            return vectors.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void vector_getsItsMarks(String name, JsonNode vector) {
        List<Candidate> candidates = new ArrayList<>();
        Map<String, String> expected = new LinkedHashMap<>();
        for (JsonNode snapshot : vector.get("snapshots")) {
            SnapshotId id = new SnapshotId(GROUP, snapshot.get("epoch").asLong());
            assertThat(id.timeText()).isEqualTo(snapshot.get("time").asString());
            candidates.add(new Candidate(
                    id,
                    snapshot.get("finished").asBoolean() ? State.FINISHED : State.UNFINISHED,
                    snapshot.get("protected").asBoolean() ? Protection.PROTECTED : Protection.UNPROTECTED));
            expected.put(id.timeText(), snapshot.get("mark").asString());
        }
        Map<String, Integer> keep = new LinkedHashMap<>();
        vector.get("keep")
                .properties()
                .forEach(rule -> keep.put(rule.getKey(), rule.getValue().asInt()));
        Collections.shuffle(candidates, new Random(name.hashCode()));

        PrunePlan plan = PrunePlanner.plan(
                candidates, KeepOptions.of(keep), ZoneId.of(vector.get("tz").asString()));

        assertThat(plan.keepsSomething())
                .isEqualTo(vector.get("keeps_something").asBoolean());
        Map<String, String> marks = new LinkedHashMap<>();
        plan.decisions()
                .forEach(d -> marks.put(d.snapshot().timeText(), d.mark().toString()));
        assertThat(marks).isEqualTo(expected);
    }

    // --- reported faults
    // ----------------------------------------------------------------------------------------------

    private static List<Candidate> dailyAtNoon(String first, String last) {
        return LongStream.iterate(
                        SnapshotId.parseTime(first + "T12:00:00Z"),
                        time -> time <= SnapshotId.parseTime(last + "T12:00:00Z"),
                        time -> time + DAY)
                .mapToObj(PrunePlannerTest::finished)
                .toList();
    }

    private static Candidate finished(long time) {
        return new Candidate(new SnapshotId(GROUP, time), State.FINISHED, Protection.UNPROTECTED);
    }

    private static Candidate unfinished(long time) {
        return new Candidate(new SnapshotId(GROUP, time), State.UNFINISHED, Protection.UNPROTECTED);
    }

    private static Candidate guarded(long time) {
        return new Candidate(new SnapshotId(GROUP, time), State.FINISHED, Protection.PROTECTED);
    }

    private static PrunePlan plan(List<Candidate> candidates, Map<String, ?> keep) {
        return PrunePlanner.plan(candidates, KeepOptions.of(keep), ZoneOffset.UTC);
    }

    private static List<String> kept(PrunePlan plan) {
        return plan.decisions().stream()
                .filter(d -> d.mark() == Mark.KEEP)
                .map(d -> d.snapshot().timeText().substring(0, 10))
                .toList();
    }

    /** 2024-12-30 belongs to week 1 of 2025: with calendar years, two weeks would look like one. */
    @Test
    void weeksAtTheTurnOfTheYear_areIsoWeeks() {
        List<Candidate> days = dailyAtNoon("2024-12-23", "2025-01-12");

        assertThat(kept(plan(days, Map.of("weekly", 2)))).containsExactly("2025-01-12", "2025-01-05");
        assertThat(kept(plan(days, Map.of("weekly", 3)))).containsExactly("2025-01-12", "2025-01-05", "2024-12-29");
        assertThat(plan(days, Map.of("weekly", 3)).decisions())
                .filteredOn(d -> d.mark() == Mark.KEEP)
                .extracting(Decision::rule)
                .containsExactly("keep-weekly 2025/02", "keep-weekly 2025/01", "keep-weekly 2024/52");
    }

    @Test
    void protectedSnapshots_stayAndUseUpNoPlace() {
        PrunePlan plan = plan(
                List.of(guarded(DAY), finished(2 * DAY), finished(3 * DAY), finished(4 * DAY), guarded(5 * DAY)),
                Map.of("last", 2));

        assertThat(marks(plan)).containsExactly(Mark.PROTECTED, Mark.KEEP, Mark.KEEP, Mark.REMOVE, Mark.PROTECTED);
        assertThat(plan.removals()).extracting(d -> d.snapshot().time()).containsExactly(2 * DAY);
    }

    /** finished < unfinished < finished < unfinished < unfinished: only the newest may still be running. */
    @Test
    void unfinishedSnapshots_stayOnlyIfTheyAreTheNewest() {
        PrunePlan plan = plan(
                List.of(
                        finished(DAY),
                        unfinished(2 * DAY),
                        finished(3 * DAY),
                        unfinished(4 * DAY),
                        unfinished(5 * DAY)),
                Map.of("last", 1));

        assertThat(marks(plan)).containsExactly(Mark.KEEP_PARTIAL, Mark.REMOVE, Mark.KEEP, Mark.REMOVE, Mark.REMOVE);
        assertThat(plan.decisions())
                .extracting(Decision::rule)
                .containsExactly("newest", "unfinished", "keep-last 1970-01-04T00:00:00Z", "unfinished", "no rule");
    }

    private static List<Mark> marks(PrunePlan plan) {
        return plan.decisions().stream().map(Decision::mark).toList();
    }

    // --- rules
    // --------------------------------------------------------------------------------------------------------

    @Test
    void policyThatKeepsNothing_removesNothing() {
        List<Candidate> days = dailyAtNoon("2025-01-01", "2025-01-05");

        for (Map<String, Integer> keep : List.<Map<String, Integer>>of(Map.of(), Map.of("last", 0, "daily", 0))) {
            PrunePlan plan = plan(days, keep);
            assertThat(plan.keepsSomething()).isFalse();
            assertThat(marks(plan)).hasSize(5).containsOnly(Mark.REMOVE);
            assertThat(plan.removals()).isEmpty();
        }
    }

    @Test
    void zeroBesideOtherCounts_switchesOneRuleOff() {
        List<Candidate> days = dailyAtNoon("2025-01-01", "2025-01-05");

        assertThat(plan(days, Map.of("last", 0, "daily", 2))).isEqualTo(plan(days, Map.of("daily", 2)));
    }

    @Test
    void laterRules_beginBehindThePeriodsOfEarlierOnes() {
        PrunePlan plan = plan(dailyAtNoon("2025-01-01", "2025-03-31"), Map.of("daily", 2, "monthly", 2));

        assertThat(kept(plan)).containsExactly("2025-03-31", "2025-03-30", "2025-02-28", "2025-01-31");
    }

    @Test
    void removals_areOldestFirst() {
        assertThat(plan(dailyAtNoon("2025-01-01", "2025-01-04"), Map.of("last", 1))
                        .removals())
                .extracting(d -> d.snapshot().timeText().substring(0, 10))
                .containsExactly("2025-01-01", "2025-01-02", "2025-01-03");
    }

    @Test
    void zone_decidesWhatADayIs() {
        List<Candidate> candidates = Stream.of("2025-01-01T23:30:00Z", "2025-01-02T00:30:00Z")
                .map(SnapshotId::parseTime)
                .map(PrunePlannerTest::finished)
                .toList();
        KeepOptions daily = KeepOptions.of(Map.of("daily", 5));

        assertThat(marks(PrunePlanner.plan(candidates, daily, ZoneOffset.UTC))).containsOnly(Mark.KEEP);
        assertThat(marks(PrunePlanner.plan(candidates, daily, ZoneId.of("Europe/Vienna"))))
                .containsExactly(Mark.KEEP, Mark.REMOVE);
    }

    @Test
    void emptyGroup_hasAnEmptyPlan() {
        assertThat(plan(List.of(), Map.of("last", 1)).decisions()).isEmpty();
    }

    @Test
    void snapshotsOfTwoGroups_areRefused() {
        Candidate other =
                new Candidate(SnapshotId.parse("vm/101/2025-01-01T00:00:00Z"), State.FINISHED, Protection.UNPROTECTED);

        assertThatThrownBy(() -> plan(List.of(finished(1), other), Map.of("last", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // --- any group, any policy
    // ----------------------------------------------------------------------------------------

    @Provide
    static Arbitrary<List<Candidate>> groups() {
        Arbitrary<Candidate> candidate = Combinators.combine(
                        Arbitraries.longs().between(1_700_000_000L / 1800, 1_700_000_000L / 1800 + 60 * 48),
                        Arbitraries.frequencyOf(
                                net.jqwik.api.Tuple.of(8, Arbitraries.just(State.FINISHED)),
                                net.jqwik.api.Tuple.of(1, Arbitraries.just(State.UNFINISHED))),
                        Arbitraries.frequencyOf(
                                net.jqwik.api.Tuple.of(8, Arbitraries.just(Protection.UNPROTECTED)),
                                net.jqwik.api.Tuple.of(1, Arbitraries.just(Protection.PROTECTED))))
                .as((half, state, protection) -> new Candidate(new SnapshotId(GROUP, half * 1800), state, protection));
        return candidate.list().ofMaxSize(60).uniqueElements(Candidate::snapshot);
    }

    @Provide
    static Arbitrary<KeepOptions> policies() {
        return Arbitraries.maps(
                        Arbitraries.of("last", "hourly", "daily", "weekly", "monthly", "yearly"),
                        Arbitraries.integers().between(0, 5))
                .map(KeepOptions::of);
    }

    @Property
    void planIsCompleteOrderedAndBounded(
            @ForAll("groups") List<Candidate> group, @ForAll("policies") KeepOptions keep) {
        PrunePlan plan = PrunePlanner.plan(group, keep, ZoneId.of("Europe/Vienna"));

        assertThat(plan.decisions())
                .extracting(d -> d.snapshot().time())
                .isSortedAccordingTo(Collections.reverseOrder());
        assertThat(plan.decisions())
                .extracting(Decision::snapshot)
                .containsExactlyInAnyOrderElementsOf(
                        group.stream().map(Candidate::snapshot).toList());
        int places = keep.toMap().values().stream().mapToInt(Integer::intValue).sum();
        assertThat(marks(plan)).filteredOn(mark -> mark == Mark.KEEP).hasSizeLessThanOrEqualTo(places);
        group.stream()
                .filter(c -> c.protection() == Protection.PROTECTED)
                .forEach(c -> assertThat(plan.removals())
                        .extracting(Decision::snapshot)
                        .doesNotContain(c.snapshot()));
        group.stream()
                .filter(c -> c.state() == State.FINISHED && c.protection() == Protection.UNPROTECTED)
                .map(Candidate::snapshot)
                .max(SnapshotId::compareTo)
                .ifPresent(newest -> assertThat(plan.removals())
                        .extracting(Decision::snapshot)
                        .doesNotContain(newest));
    }

    @Property
    void secondPrune_removesNothing(@ForAll("groups") List<Candidate> group, @ForAll("policies") KeepOptions keep) {
        List<SnapshotId> gone = PrunePlanner.plan(group, keep, ZoneOffset.UTC).removals().stream()
                .map(Decision::snapshot)
                .toList();
        List<Candidate> left =
                group.stream().filter(c -> !gone.contains(c.snapshot())).toList();

        assertThat(PrunePlanner.plan(left, keep, ZoneOffset.UTC).removals()).isEmpty();
    }

    @Property
    void protectionOfOne_changesNoMarkOfAnother(
            @ForAll("groups") List<Candidate> group, @ForAll("policies") KeepOptions keep, @ForAll long when) {
        List<Candidate> finished = group.stream()
                .map(c -> new Candidate(c.snapshot(), State.FINISHED, Protection.UNPROTECTED))
                .toList();
        // An odd second: no snapshot of the group has it.
        long time = 1_700_000_001L + Math.floorMod(when, 60 * 48) * 1800L;
        List<Candidate> withOne =
                Stream.concat(finished.stream(), Stream.of(guarded(time))).toList();

        List<Decision> marks =
                new ArrayList<>(PrunePlanner.plan(withOne, keep, ZoneOffset.UTC).decisions());
        marks.removeIf(d -> d.snapshot().time() == time);

        assertThat(marks)
                .isEqualTo(PrunePlanner.plan(finished, keep, ZoneOffset.UTC).decisions());
    }

    @Test
    void largeGroup_fillsItsPlacesAndNoMore() {
        List<Candidate> group = IntStream.range(0, 20_000)
                .mapToObj(i -> finished(1_600_000_000L + i * 900L))
                .toList();
        PrunePlan plan =
                plan(group, Map.of("last", 5, "hourly", 48, "daily", 30, "weekly", 8, "monthly", 12, "yearly", 3));

        assertThat(marks(plan)).filteredOn(mark -> mark == Mark.KEEP).hasSizeBetween(90, 106);
    }
}
