package dev.holdfast.api.config;

/** How far a write has reached the disk before it is reported as done. */
public enum SyncLevel {
    NONE("none"),
    FILE("file"),
    FILESYSTEM("filesystem");

    private final String text;

    SyncLevel(String text) {
        this.text = text;
    }

    /**
     * Parses {@code none} or {@code file} or {@code filesystem}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static SyncLevel parse(String text) {
        for (SyncLevel value : values()) {
            if (value.text.equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("sync-level must be none or file or filesystem, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
