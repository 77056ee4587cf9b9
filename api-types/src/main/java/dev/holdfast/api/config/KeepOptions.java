package dev.holdfast.api.config;

import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.IntegerOption;
import dev.holdfast.api.schema.OptionSchema.Text;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A retention policy: how many snapshots of each kind a prune keeps. Immutable.
 *
 * <p>A policy in which no count is above zero keeps everything.
 */
public final class KeepOptions {

    /** The rules, in the order in which they are applied. */
    public enum Rule {
        LAST("last", "snapshot"),
        HOURLY("hourly", "hour"),
        DAILY("daily", "day"),
        WEEKLY("weekly", "week"),
        MONTHLY("monthly", "month"),
        YEARLY("yearly", "year");

        private final String text;
        private final String period;

        Rule(String text, String period) {
            this.text = text;
            this.period = period;
        }

        /** Name of the command line option without its dashes: {@code keep-daily}. */
        public String optionName() {
            return "keep-" + text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final List<OptionSchema> OPTIONS =
            Arrays.stream(Rule.values()).map(KeepOptions::schema).toList();

    public static final KeepOptions NONE = new KeepOptions(Map.of());

    private final Map<Rule, Integer> counts;

    private KeepOptions(Map<Rule, Integer> counts) {
        this.counts = Map.copyOf(counts);
    }

    /**
     * Takes counts by rule name, with or without {@code keep-}; a rule that is null is not set.
     *
     * @throws IllegalArgumentException for an unknown rule, one that is named twice, or a count that is no whole number from 0 up
     */
    public static KeepOptions of(Map<String, ?> counts) {
        Map<Rule, Integer> checked = new LinkedHashMap<>();
        counts.forEach((name, value) -> {
            Rule rule = rule(name);
            if (value == null) {
                return;
            }
            int count = Integer.parseInt(OPTIONS.get(rule.ordinal()).check(value.toString()));
            if (checked.put(rule, count) != null) {
                throw new IllegalArgumentException(rule.optionName() + " is set twice");
            }
        });
        return new KeepOptions(checked);
    }

    private static Rule rule(String name) {
        for (Rule rule : Rule.values()) {
            if (name.equals(rule.text) || name.equals(rule.optionName())) {
                return rule;
            }
        }
        throw new IllegalArgumentException(
                "there is no retention rule '" + name + "'; known are last, hourly, daily, weekly, monthly, yearly");
    }

    /** The schemas of all rules, named as on the command line, in the order in which they are applied. */
    public static List<OptionSchema> options() {
        return OPTIONS;
    }

    private static OptionSchema schema(Rule rule) {
        String what = rule == Rule.LAST ? "the newest snapshots" : "the newest snapshot of each " + rule.period;
        return new IntegerOption(
                rule.optionName(),
                0,
                Integer.MAX_VALUE,
                OptionalLong.empty(),
                new Text(
                        rule == Rule.LAST ? "snapshots" : rule.period + "s",
                        "Keeps " + what
                                + ", so many in number. 0, like unset, switches the rule off; a policy in which no"
                                + " rule is on keeps everything. There is no upper bound but that of the number type."));
    }

    /** The count of a rule, empty if the rule is not set. */
    public OptionalInt count(Rule rule) {
        Integer count = counts.get(rule);
        return count == null ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** Whether any count is above zero; if not, everything is kept. */
    public boolean keepsSomething() {
        return counts.values().stream().anyMatch(count -> count > 0);
    }

    /** What is set, by rule name without {@code keep-}, in the order in which rules are applied. */
    public Map<String, Integer> toMap() {
        Map<String, Integer> map = new LinkedHashMap<>();
        for (Rule rule : Rule.values()) {
            Integer count = counts.get(rule);
            if (count != null) {
                map.put(rule.text, count);
            }
        }
        return map;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeepOptions that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
