package dev.holdfast.shell.line;

/**
 * A positional argument of a command.
 *
 * @param placeholder its name in usage lines, for example {@code SNAPSHOT}
 * @param description one sentence
 * @param presence how often it is given
 */
public record ArgumentSpec(String placeholder, String description, Presence presence) {

    /** How often an argument is given. */
    public enum Presence {
        REQUIRED,
        OPTIONAL,
        ONE_OR_MORE,
        ANY_NUMBER
    }

    public boolean required() {
        return presence == Presence.REQUIRED || presence == Presence.ONE_OR_MORE;
    }

    public boolean repeatable() {
        return presence == Presence.ONE_OR_MORE || presence == Presence.ANY_NUMBER;
    }

    /** As it stands in a usage line. */
    public String usage() {
        return switch (presence) {
            case REQUIRED -> placeholder;
            case OPTIONAL -> "[" + placeholder + "]";
            case ONE_OR_MORE -> placeholder + "...";
            case ANY_NUMBER -> "[" + placeholder + "...]";
        };
    }
}
