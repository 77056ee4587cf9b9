package dev.holdfast.api.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Several values in one line: {@code a=1,b=2}. Blanks around keys and values do not count. A value that holds a comma, a
 * quote or a backslash, or begins or ends with a blank, is written in double quotes, in which a backslash stands before a
 * quote or a backslash. One key may be the default key, whose value is then also taken without {@code key=}, in any place,
 * once.
 */
public final class PropertyString {

    private PropertyString() {}

    /**
     * Parses, keeping the order. A blank text has no values.
     *
     * @param defaultKey the key of a part without {@code =}, or empty if there is none
     * @throws IllegalArgumentException for an empty part, a missing or repeated key, an open quote, or text behind a quote
     */
    public static Map<String, String> parse(String text, String defaultKey) {
        Map<String, String> values = new LinkedHashMap<>();
        int from = 0;
        boolean more = !text.isBlank();
        while (more) {
            int end = partEnd(text, from);
            put(values, text.substring(from, end).strip(), defaultKey, text);
            more = end < text.length();
            from = end + 1;
        }
        return values;
    }

    /** The index of the comma behind a part, or the length of the text. */
    private static int partEnd(String text, int from) {
        boolean valueBegins = true; // nothing but blanks since the part, or its '=', began
        boolean keyed = false;
        int at = from;
        while (at < text.length() && text.charAt(at) != ',') {
            char c = text.charAt(at++);
            if (c == '"' && valueBegins) {
                at = closingQuote(text, at) + 1;
                valueBegins = false;
            } else if (c == '=' && !keyed) {
                keyed = true;
                valueBegins = true;
            } else if (!Character.isWhitespace(c)) {
                valueBegins = false;
            }
        }
        return at;
    }

    private static int closingQuote(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException("a quote is not closed in '" + text + "'");
        }
        return at;
    }

    private static void put(Map<String, String> values, String part, String defaultKey, String text) {
        if (part.isEmpty()) {
            throw new IllegalArgumentException("a value is missing before or behind a comma in '" + text + "'");
        }
        int equals = part.startsWith("\"") ? -1 : part.indexOf('=');
        String key = equals < 0 ? defaultKey : part.substring(0, equals).strip();
        if (key.isEmpty()) {
            throw new IllegalArgumentException("expected KEY=VALUE, not '" + part + "', in '" + text + "'");
        }
        if (values.put(key, unquoted(part.substring(equals + 1).strip(), text)) != null) {
            throw new IllegalArgumentException("'" + key + "' stands twice in '" + text + "'");
        }
    }

    private static String unquoted(String value, String text) {
        if (!value.startsWith("\"")) {
            return value;
        }
        int close = closingQuote(value, 1);
        if (close != value.length() - 1) {
            throw new IllegalArgumentException("there is text behind a closing quote in '" + text + "'");
        }
        StringBuilder plain = new StringBuilder(close);
        for (int i = 1; i < close; i++) {
            plain.append(value.charAt(value.charAt(i) == '\\' ? ++i : i));
        }
        return plain.toString();
    }

    /**
     * Formats in the map's order; {@link #parse} gives the same map back.
     *
     * @throws IllegalArgumentException for a key that would not come back: empty, or with a comma, a quote, an equals sign
     *     or an outer blank
     */
    public static String format(Map<String, String> values) {
        return format(values, "");
    }

    /** As {@link #format(Map)}, with the value of {@code defaultKey} written without its key. */
    public static String format(Map<String, String> values, String defaultKey) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> {
            if (key.isEmpty() || !key.equals(key.strip()) || key.matches("(?s).*[,\"=].*")) {
                throw new IllegalArgumentException("'" + key + "' cannot be a key of a property string");
            }
            text.append(text.isEmpty() ? "" : ",");
            // An empty value needs its key, or it would be an empty part; one with '=' would be taken for a key.
            if (!key.equals(defaultKey) || value.isEmpty() || value.indexOf('=') >= 0) {
                text.append(key).append('=');
            }
            text.append(needsQuotes(value) ? quoted(value) : value);
        });
        return text.toString();
    }

    private static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static boolean needsQuotes(String value) {
        return value.indexOf(',') >= 0
                || value.indexOf('"') >= 0
                || value.indexOf('\\') >= 0
                || !value.equals(value.strip());
    }
}
