package dev.holdfast.api.config;

/** How phase 1 of garbage collection remembers which chunks are used. */
public enum GcMarking {
    /** By touching each of them. */
    ACCESS_TIME("access-time"),
    /** In a set in memory. */
    MARK_SET("mark-set");

    private final String text;

    GcMarking(String text) {
        this.text = text;
    }

    /**
     * Parses {@code access-time} or {@code mark-set}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static GcMarking parse(String text) {
        for (GcMarking value : values()) {
            if (value.text.equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("gc-marking must be access-time or mark-set, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
