package dev.holdfast.datastore.manifest;

import dev.holdfast.datastore.error.FormatException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON as manifests need it: strict when read, and written in the two forms that are fixed to the byte. The canonical form
 * is what a signature covers; the pretty one is what Proxmox Backup Server writes.
 *
 * <p>Both sort the members of an object by the bytes of their names and escape only {@code "}, {@code \} and what is below
 * 0x20.
 */
final class ManifestJson {

    /** The nesting that the original's parser allows. */
    private static final int MAX_DEPTH = 128;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** UTF-8 byte order is code point order; Java's own order of text differs above the basic plane. */
    private static final Comparator<Map.Entry<String, JsonNode>> BY_NAME_BYTES =
            Map.Entry.comparingByKey((a, b) -> compareCodePoints(a, b));

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private ManifestJson() {}

    /** @throws FormatException unless it is one JSON object in valid UTF-8, each member once, not nested too deeply */
    static ObjectNode parse(byte[] json, String name) throws FormatException {
        try {
            // Decoded here: the parser would guess UTF-16 or UTF-32 from the first bytes.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(json))
                    .toString();
            if (!(MAPPER.readTree(text) instanceof ObjectNode object)) {
                throw new FormatException(name, name + " holds no JSON object");
            }
            if (!isWellFormed(object)) {
                throw new FormatException(name, name + " has text with half a surrogate pair");
            }
            return object;
        } catch (CharacterCodingException e) {
            throw new FormatException(name, name + " is not valid UTF-8", e);
        } catch (JacksonException e) {
            throw new FormatException(name, name + " is no valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static boolean isWellFormed(JsonNode node) {
        if (node.isString()) {
            return isWellFormed(node.stringValue());
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!isWellFormed(member.getKey())) {
                return false;
            }
        }
        for (JsonNode child : node) {
            if (!isWellFormed(child)) {
                return false;
            }
        }
        return true;
    }

    /** Whether every surrogate has its partner, so that UTF-8 can write the text. */
    static boolean isWellFormed(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    static int compareCodePoints(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                // Surrogates stand for code points above every other character.
                boolean highX = Character.isSurrogate(x);
                boolean highY = Character.isSurrogate(y);
                return highX == highY ? Character.compare(x, y) : Boolean.compare(highX, highY);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** Two-space indent, one member a line, no newline at the end. */
    static byte[] pretty(JsonNode node) {
        StringBuilder out = new StringBuilder(1024);
        write(node, out, 0);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * No white space at all.
     *
     * @throws IllegalArgumentException if there is a null anywhere: it has no canonical form
     */
    static byte[] canonical(JsonNode node) {
        if (hasNull(node)) {
            throw new IllegalArgumentException("a document with a null in it has no canonical form");
        }
        StringBuilder out = new StringBuilder(1024);
        write(node, out, -1);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    static boolean hasNull(JsonNode node) {
        if (node.isNull()) {
            return true;
        }
        for (JsonNode child : node) {
            if (hasNull(child)) {
                return true;
            }
        }
        return false;
    }

    /** @param level depth for the indent, or -1 for the canonical form */
    private static void write(JsonNode node, StringBuilder out, int level) {
        int next = level < 0 ? -1 : level + 1;
        if (node.isObject()) {
            List<Map.Entry<String, JsonNode>> members = new ArrayList<>(node.properties());
            members.sort(BY_NAME_BYTES);
            char before = '{';
            for (Map.Entry<String, JsonNode> member : members) {
                newLine(out.append(before), next);
                writeText(member.getKey(), out);
                out.append(level < 0 ? ":" : ": ");
                write(member.getValue(), out, next);
                before = ',';
            }
            close(out, before == '{' ? "{}" : "}", level);
        } else if (node.isArray()) {
            char before = '[';
            for (JsonNode element : node) {
                newLine(out.append(before), next);
                write(element, out, next);
                before = ',';
            }
            close(out, before == '[' ? "[]" : "]", level);
        } else if (node.isString()) {
            writeText(node.stringValue(), out);
        } else {
            out.append(node.isNull() ? "null" : node.asString());
        }
    }

    private static void close(StringBuilder out, String end, int level) {
        if (end.length() == 1) {
            newLine(out, level);
        }
        out.append(end);
    }

    private static void newLine(StringBuilder out, int level) {
        if (level >= 0) {
            out.append('\n').append("  ".repeat(level));
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xf]);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
