package dev.holdfast.datastore.prune;

import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.KeepOptions.Rule;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.prune.PrunePlan.Decision;
import dev.holdfast.datastore.prune.PrunePlan.Mark;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decides which snapshots of a group a retention policy keeps. Pure: no clock, no disk.
 *
 * <p>The rules are applied one after the other: last, hourly, daily, weekly, monthly, yearly. Each keeps the newest
 * snapshot of a period, for as many periods as its count says, and begins behind the periods that earlier rules have
 * covered. Protected snapshots and unfinished ones use up no place. Periods are those of the given zone; weeks are ISO
 * weeks, which belong to the year that most of their days lie in.
 */
public final class PrunePlanner {

    /** Whether a snapshot has a manifest. */
    public enum State {
        FINISHED,
        UNFINISHED
    }

    /** Whether somebody has said that a snapshot must stay. */
    public enum Protection {
        PROTECTED,
        UNPROTECTED
    }

    /** What the rules need to know about one snapshot. */
    public record Candidate(SnapshotId snapshot, State state, Protection protection) {}

    private record Verdict(Mark mark, String rule) {}

    private final ZoneId zone;
    private final Map<Candidate, Verdict> verdicts = new LinkedHashMap<>();

    private PrunePlanner(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * Plans one group.
     *
     * @param candidates all snapshots of the group, in any order
     * @param zone whose hours, days, weeks, months and years count; both hours of a night with a clock change are one
     * @throws IllegalArgumentException if the snapshots are of several groups
     */
    public static PrunePlan plan(List<Candidate> candidates, KeepOptions keep, ZoneId zone) {
        PrunePlanner planner = new PrunePlanner(zone);
        if (candidates.stream().map(c -> c.snapshot().group()).distinct().count() > 1) {
            throw new IllegalArgumentException("a plan is made for the snapshots of one group");
        }
        List<Candidate> newestFirst = new ArrayList<>(candidates);
        newestFirst.sort(Comparator.comparing(Candidate::snapshot).reversed());
        planner.markUnfinished(newestFirst);
        for (Rule rule : Rule.values()) {
            OptionalInt count = keep.count(rule);
            if (count.isPresent() && count.getAsInt() > 0) {
                planner.apply(rule, count.getAsInt(), newestFirst);
            }
        }
        List<Decision> decisions = newestFirst.stream().map(planner::decision).toList();
        return new PrunePlan(decisions, keep.keepsSomething());
    }

    private void markUnfinished(List<Candidate> newestFirst) {
        boolean newest = true;
        for (Candidate candidate : newestFirst) {
            if (candidate.state() == State.UNFINISHED) {
                verdicts.put(
                        candidate,
                        newest ? new Verdict(Mark.KEEP_PARTIAL, "newest") : new Verdict(Mark.REMOVE, "unfinished"));
            }
            newest = false;
        }
    }

    private void apply(Rule rule, int count, List<Candidate> newestFirst) {
        Set<String> done = new HashSet<>();
        for (Map.Entry<Candidate, Verdict> entry : verdicts.entrySet()) {
            if (entry.getValue().mark() == Mark.KEEP) {
                done.add(period(rule, entry.getKey().snapshot()));
            }
        }
        Set<String> chosen = new HashSet<>();
        for (Candidate candidate : newestFirst) {
            if (verdicts.containsKey(candidate)) {
                continue;
            }
            if (candidate.protection() == Protection.PROTECTED) {
                verdicts.put(candidate, new Verdict(Mark.PROTECTED, "protected"));
                continue;
            }
            String period = period(rule, candidate.snapshot());
            if (done.contains(period)) {
                continue;
            }
            if (chosen.contains(period)) {
                verdicts.put(candidate, new Verdict(Mark.REMOVE, rule.optionName() + " " + period));
            } else if (chosen.size() >= count) {
                break;
            } else {
                chosen.add(period);
                verdicts.put(candidate, new Verdict(Mark.KEEP, rule.optionName() + " " + period));
            }
        }
    }

    private Decision decision(Candidate candidate) {
        if (candidate.protection() == Protection.PROTECTED) {
            return new Decision(candidate.snapshot(), Mark.PROTECTED, "protected");
        }
        Verdict verdict = verdicts.getOrDefault(candidate, new Verdict(Mark.REMOVE, "no rule"));
        return new Decision(candidate.snapshot(), verdict.mark(), verdict.rule());
    }

    /** What a rule counts: two snapshots with the same text are one period. */
    private String period(Rule rule, SnapshotId snapshot) {
        ZonedDateTime time = Instant.ofEpochSecond(snapshot.time()).atZone(zone);
        return switch (rule) {
            case LAST -> snapshot.timeText();
            case HOURLY ->
                String.format(
                        Locale.ROOT,
                        "%04d/%02d/%02d/%02d",
                        time.getYear(),
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        time.getHour());
            case DAILY ->
                String.format(
                        Locale.ROOT, "%04d/%02d/%02d", time.getYear(), time.getMonthValue(), time.getDayOfMonth());
            case WEEKLY ->
                String.format(
                        Locale.ROOT,
                        "%04d/%02d",
                        time.get(IsoFields.WEEK_BASED_YEAR),
                        time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case MONTHLY -> String.format(Locale.ROOT, "%04d/%02d", time.getYear(), time.getMonthValue());
            case YEARLY -> String.format(Locale.ROOT, "%04d", time.getYear());
        };
    }
}
