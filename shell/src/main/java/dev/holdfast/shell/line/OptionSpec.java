package dev.holdfast.shell.line;

/**
 * A long option.
 *
 * @param name without the leading dashes
 * @param kind what follows it
 * @param valueName name of the value in usage lines; empty for a flag
 * @param description one sentence
 */
public record OptionSpec(String name, Kind kind, String valueName, String description) {

    /** What follows an option. */
    public enum Kind {
        FLAG,
        VALUE,
        REPEATABLE_VALUE
    }

    public boolean isFlag() {
        return kind == Kind.FLAG;
    }

    /** As it stands in help texts. */
    public String usage() {
        return isFlag() ? "--" + name : "--" + name + " " + valueName;
    }
}
