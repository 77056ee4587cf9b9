package dev.holdfast.api.config;

/** Order in which verify reads the chunks of an index. */
public enum ChunkOrder {
    INODE("inode"),
    NONE("none");

    private final String text;

    ChunkOrder(String text) {
        this.text = text;
    }

    /**
     * Parses {@code inode} or {@code none}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static ChunkOrder parse(String text) {
        for (ChunkOrder value : values()) {
            if (value.text.equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("chunk-order must be inode or none, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
