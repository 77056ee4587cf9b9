package dev.holdfast.api.schema;

/** A value breaks the bounds of an option; the message names the option, its bounds and the value. */
public final class SchemaViolationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String option;

    public SchemaViolationException(String option, String bounds, String value) {
        super(option + " must be " + bounds + ", not '" + value + "'");
        this.option = option;
    }

    /** The name of the option. */
    public String option() {
        return option;
    }
}
