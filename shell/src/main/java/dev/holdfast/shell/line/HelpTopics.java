package dev.holdfast.shell.line;

/** Puts what {@code api-types} declares about options into help texts, so that it is said once. */
final class HelpTopics {

    /** Stands in a help text for the table of tuning options. */
    static final String TUNING = "{tuning}";

    private HelpTopics() {}

    static String fill(String help) {
        return help;
    }
}
