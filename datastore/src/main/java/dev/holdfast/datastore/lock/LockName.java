package dev.holdfast.datastore.lock;

import dev.holdfast.api.model.BackupNamespace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Where the lock file of an object lies below the lock directory of its store. Pure. */
final class LockName {

    /** Escaped names of this length or more are replaced by their hash; 255 is the longest file name. */
    private static final int HASHED_FROM = 255;

    /** How much of either end of a hashed name stays legible. */
    private static final int LEGIBLE = 80;

    private static final HexFormat HEX = HexFormat.of();

    private LockName() {}

    /**
     * The relative path of a lock file.
     *
     * @param path the object's path inside its namespace, for example {@code vm/100}
     */
    static String of(BackupNamespace namespace, String path) {
        String name = escape(path);
        if (name.length() >= HASHED_FROM) {
            name = "hashed/" + name.substring(0, LEGIBLE) + "..." + name.substring(name.length() - LEGIBLE) + "-"
                    + sha256(path);
        }
        return namespace.isRoot() ? name : String.join(":", namespace.components()) + "/" + name;
    }

    /** As systemd escapes a path to the name of a unit. */
    static String escape(String path) {
        byte[] bytes = path.replaceFirst("^/+", "").getBytes(StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder(bytes.length + 32);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            if (c == '/') {
                text.append('-');
            } else if (isPlain(c) && !(c == '.' && i == 0)) {
                text.append(c);
            } else {
                text.append("\\x").append(HEX.toHexDigits((byte) c));
            }
        }
        return text.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }

    private static String sha256(String path) {
        try {
            return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
