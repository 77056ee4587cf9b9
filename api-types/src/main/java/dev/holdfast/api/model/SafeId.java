package dev.holdfast.api.model;

import java.util.regex.Pattern;

/** The one pattern for names that become path components: backup ids, namespace components, realms, store names. */
final class SafeId {

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._\\-]*");

    private SafeId() {}

    static boolean matches(String text) {
        return PATTERN.matcher(text).matches();
    }

    static String require(String what, String text) {
        if (!matches(text)) {
            throw new IllegalArgumentException(what + " must match " + PATTERN.pattern()
                    + " (letters, digits, '_', then also '.', '-'): '" + text + "'");
        }
        return text;
    }
}
