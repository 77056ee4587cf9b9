package dev.holdfast.api.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Several values in one line: {@code a=1,b=2}. A value that holds a comma, a quote or a backslash is written in double
 * quotes, in which a backslash stands before a quote or a backslash. One key may be the default key, whose value is then
 * also taken without {@code key=}, in any place, once.
 */
public final class PropertyString {

    private PropertyString() {}

    /**
     * Parses, keeping the order.
     *
     * @param defaultKey the key of a part without {@code =}, or empty if there is none
     * @throws IllegalArgumentException for an empty part, a missing or repeated key, or an open quote
     */
    public static Map<String, String> parse(String text, String defaultKey) {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length()) {
            StringBuilder part = new StringBuilder();
            int equals = -1;
            boolean quoted = false;
            while (at < text.length() && (quoted || text.charAt(at) != ',')) {
                char c = text.charAt(at++);
                if (c == '"') {
                    quoted = !quoted;
                } else if (quoted && c == '\\' && at < text.length()) {
                    part.append(text.charAt(at++));
                } else {
                    if (c == '=' && equals < 0 && !quoted) {
                        equals = part.length();
                    }
                    part.append(c);
                }
            }
            if (quoted) {
                throw new IllegalArgumentException("a quote is not closed in '" + text + "'");
            }
            boolean more = at < text.length();
            at++;
            put(values, part.toString(), equals, defaultKey, text);
            if (more && at == text.length()) {
                throw new IllegalArgumentException("a value is missing at the end of '" + text + "'");
            }
        }
        return values;
    }

    private static void put(Map<String, String> values, String part, int equals, String defaultKey, String text) {
        String key = equals < 0 ? defaultKey : part.substring(0, equals).strip();
        if (key.isEmpty()) {
            throw new IllegalArgumentException("expected KEY=VALUE, not '" + part + "', in '" + text + "'");
        }
        if (values.put(key, part.substring(equals + 1).strip()) != null) {
            throw new IllegalArgumentException("'" + key + "' stands twice in '" + text + "'");
        }
    }

    /** Formats in the map's order; {@link #parse} gives the same map back. */
    public static String format(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> {
            if (!text.isEmpty()) {
                text.append(',');
            }
            text.append(key).append('=');
            if (needsQuotes(value)) {
                text.append('"')
                        .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                        .append('"');
            } else {
                text.append(value);
            }
        });
        return text.toString();
    }

    private static boolean needsQuotes(String value) {
        return value.indexOf(',') >= 0 || value.indexOf('"') >= 0 || value.indexOf('\\') >= 0;
    }
}
