package dev.holdfast.engine.config;

import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** How keys and values are written into a YAML file. */
final class YamlWriting {

    /** What may stand without quotes in any place, if it is not one of the words with a meaning. */
    private static final String PLAIN = "[A-Za-z_/][A-Za-z0-9_./\\-]*";

    private YamlWriting() {}

    /** A key and its value on lines of their own, with the keys on the way above it. */
    static String block(List<String> path, Object value, int indent) {
        String head = " ".repeat(indent) + inline(path.get(0)) + ":";
        if (path.size() > 1) {
            return head + "\n" + block(path.subList(1, path.size()), value, indent + 2);
        }
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            return head + "\n" + members(map, indent + 2);
        }
        return head + " " + inline(value) + "\n";
    }

    /** The members of a mapping, each on a line of its own; mappings inside it stay on their line. */
    static String members(Map<?, ?> map, int indent) {
        StringBuilder out = new StringBuilder();
        map.forEach((key, value) -> out.append(" ".repeat(indent))
                .append(inline(key))
                .append(": ")
                .append(inline(value))
                .append('\n'));
        return out.toString();
    }

    /** A value in a single line: words as they are, numbers and booleans too, everything else in double quotes. */
    static String inline(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringBuilder out = new StringBuilder("{");
            map.forEach((k, v) -> out.append(out.length() > 1 ? ", " : "")
                    .append(inline(k))
                    .append(": ")
                    .append(inline(v)));
            return out.append('}').toString();
        }
        if (!(value instanceof String string)) {
            return String.valueOf(value);
        }
        return string.matches(PLAIN) && readsAsText(string) ? string : quoted(string);
    }

    private static boolean readsAsText(String word) {
        try {
            return new Load(YamlText.SETTINGS).loadFromString(word) instanceof String;
        } catch (YamlEngineException e) {
            return false;
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // What YAML does not call printable, and what an editor would not show.
                    if (c < ' ' || (c >= 0x7f && c <= 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
