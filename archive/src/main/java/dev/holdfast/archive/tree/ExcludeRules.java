package dev.holdfast.archive.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The exclude lists that hold in a directory: those of the command, then those of the directories on the way to it. The
 * last pattern that matches a path decides. Immutable.
 */
final class ExcludeRules {

    /** @param base length of the path in front of what the pattern is about */
    private record Rule(ExcludePattern pattern, int base) {}

    private final List<Rule> rules;

    private ExcludeRules(List<Rule> rules) {
        this.rules = rules;
    }

    static ExcludeRules of(Collection<ExcludePattern> patterns) {
        return new ExcludeRules(List.of()).with(new byte[0], patterns);
    }

    /** Adds the list of a directory. @param directory its path from the root, empty for the root */
    ExcludeRules with(byte[] directory, Collection<ExcludePattern> patterns) {
        if (patterns.isEmpty()) {
            return this;
        }
        List<Rule> more = new ArrayList<>(rules);
        int base = directory.length == 0 ? 0 : directory.length + 1;
        patterns.forEach(p -> more.add(new Rule(p, base)));
        return new ExcludeRules(List.copyOf(more));
    }

    int size() {
        return rules.size();
    }

    /** @param path from the root, without a leading slash, below the directories whose lists were added */
    boolean excludes(byte[] path, boolean directory) {
        for (int i = rules.size() - 1; i >= 0; i--) {
            Rule rule = rules.get(i);
            if (rule.pattern().matches(path, rule.base(), directory)) {
                return !rule.pattern().include();
            }
        }
        return false;
    }
}
