package dev.holdfast.api.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A retention policy: how many snapshots of each kind a prune keeps. Immutable.
 *
 * <p>A policy in which no count is above zero keeps everything.
 */
public final class KeepOptions {

    /** The rules, in the order in which they are applied. */
    public enum Rule {
        LAST("last"),
        HOURLY("hourly"),
        DAILY("daily"),
        WEEKLY("weekly"),
        MONTHLY("monthly"),
        YEARLY("yearly");

        private final String text;

        Rule(String text) {
            this.text = text;
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

    public static final KeepOptions NONE = new KeepOptions(Map.of());

    private final Map<Rule, Integer> counts;

    private KeepOptions(Map<Rule, Integer> counts) {
        this.counts = Map.copyOf(counts);
    }

    /**
     * Takes counts by rule name, with or without {@code keep-}.
     *
     * @throws IllegalArgumentException for an unknown rule, or a count that is no whole number from 0 up
     */
    public static KeepOptions of(Map<String, ?> counts) {
        Map<Rule, Integer> checked = new LinkedHashMap<>();
        counts.forEach((name, value) -> checked.put(rule(name), count(name, String.valueOf(value))));
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

    private static int count(String name, String value) {
        try {
            int count = Integer.parseInt(value);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number from 0 up, not '" + value + "'", e);
        }
        throw new IllegalArgumentException(name + " must be a whole number from 0 up, not '" + value + "'");
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
