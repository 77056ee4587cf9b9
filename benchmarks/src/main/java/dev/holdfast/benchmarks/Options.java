package dev.holdfast.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The words {@code --name value} of a command line. */
final class Options {

    private final Map<String, String> values = new HashMap<>();

    /**
     * @param known names without dashes
     * @throws IllegalArgumentException for any other name, or one without a value
     */
    static Options parse(String[] words, Set<String> known) {
        Options options = new Options();
        for (int i = 0; i < words.length; i += 2) {
            String name = words[i].startsWith("--") ? words[i].substring(2) : "";
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown option '" + words[i] + "'; known are " + known);
            }
            if (i + 1 == words.length) {
                throw new IllegalArgumentException("option --" + name + " needs a value");
            }
            options.values.put(name, words[i + 1]);
        }
        return options;
    }

    String required(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("option --" + name + " is missing");
        }
        return value;
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** A whole number within bounds. */
    long number(String name, long otherwise, long least, long most) {
        long value = Long.parseLong(text(name, Long.toString(otherwise)));
        if (value < least || value > most) {
            throw new IllegalArgumentException("--" + name + " must be " + least + " to " + most + ", not " + value);
        }
        return value;
    }
}
