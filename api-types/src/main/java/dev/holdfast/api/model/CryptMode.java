package dev.holdfast.api.model;

/** How the content of an archive is protected, as the manifest spells it. */
public enum CryptMode {
    NONE("none"),
    ENCRYPT("encrypt"),
    SIGN_ONLY("sign-only");

    private final String text;

    CryptMode(String text) {
        this.text = text;
    }

    /**
     * Parses {@code none}, {@code encrypt} or {@code sign-only}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static CryptMode parse(String text) {
        for (CryptMode mode : values()) {
            if (mode.text.equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("crypt mode must be none, encrypt or sign-only, not '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
