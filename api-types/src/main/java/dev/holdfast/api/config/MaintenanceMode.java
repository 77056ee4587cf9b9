package dev.holdfast.api.config;

/** Why a store is not open for all work. */
public enum MaintenanceMode {
    /** Nothing is written. */
    READ_ONLY("read-only"),
    /** Nothing is read or written. */
    OFFLINE("offline"),
    /** The store is being deleted. */
    DELETE("delete");

    private final String text;

    MaintenanceMode(String text) {
        this.text = text;
    }

    /**
     * Parses {@code read-only}, {@code offline} or {@code delete}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static MaintenanceMode parse(String text) {
        for (MaintenanceMode mode : values()) {
            if (mode.text.equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("maintenance-mode must be read-only, offline or delete, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
