package dev.holdfast.api.config;

import dev.holdfast.api.schema.SchemaViolationException;

/** Why a store is not open for all work. */
public enum MaintenanceMode {
    /** Nothing is written. */
    READ_ONLY("read-only"),
    /** Nothing is read or written. */
    OFFLINE("offline"),
    /** The store is being deleted: not even a look is allowed. */
    DELETE("delete");

    /** What somebody wants to do with a store. */
    public enum Operation {
        /** Look at names and states, without reading a backup. */
        LOOKUP,
        /** Read backups: restore, verify. */
        READ,
        /** Change the store: back up, prune, collect garbage. */
        WRITE
    }

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
        throw new SchemaViolationException("maintenance-mode", "one of read-only, offline, delete", text);
    }

    /** Whether the mode lets an operation pass. */
    public boolean allows(Operation operation) {
        return switch (this) {
            case READ_ONLY -> operation != Operation.WRITE;
            case OFFLINE -> operation == Operation.LOOKUP;
            case DELETE -> false;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
