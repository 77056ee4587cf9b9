package dev.holdfast.api.model;

/**
 * What kind of thing a group backs up. The order of the constants is the order of listings: ct, host, vm.
 */
public enum BackupType {
    CT("ct"),
    HOST("host"),
    VM("vm");

    private final String text;

    BackupType(String text) {
        this.text = text;
    }

    /**
     * Parses {@code ct}, {@code host} or {@code vm}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static BackupType parse(String text) {
        for (BackupType type : values()) {
            if (type.text.equals(text)) {
                return type;
            }
        }
        throw new IllegalArgumentException("backup type must be vm, ct or host, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
