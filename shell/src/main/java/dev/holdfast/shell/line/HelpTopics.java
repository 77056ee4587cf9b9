package dev.holdfast.shell.line;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.schema.OptionSchema;

/** Puts what {@code api-types} declares about options into help texts, so that it is said once. */
final class HelpTopics {

    /** Stands in a help text for the list of tuning options. */
    private static final String TUNING = "{tuning}";

    private static final int WIDTH = 96;

    private HelpTopics() {}

    static String fill(String help) {
        return help.contains(TUNING) ? help.replace(TUNING, tuning()) : help;
    }

    private static String tuning() {
        StringBuilder text = new StringBuilder("Tuning options:\n");
        for (OptionSchema option : DatastoreTuning.options()) {
            text.append("  ")
                    .append(option.name())
                    .append(": ")
                    .append(option.bounds())
                    .append(option.defaultText()
                            .map(value -> ". Default: " + value + ".")
                            .orElse(". Default: unset."))
                    .append('\n');
            HelpText.wrap(option.reason(), WIDTH - 4)
                    .forEach(line -> text.append("    ").append(line).append('\n'));
        }
        return text.toString().stripTrailing();
    }
}
