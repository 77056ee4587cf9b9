package dev.holdfast.datastore.manifest;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Between JSON nodes and the plain values that callers see: strings, longs, booleans, maps, lists. */
final class JsonValues {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonValues() {}

    /** Members that are null are left out; a number that is no long is a {@code BigInteger} or {@code BigDecimal}. */
    static Map<String, Object> toMap(JsonNode object) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            if (!member.getValue().isNull()) {
                result.put(member.getKey(), toValue(member.getValue()));
            }
        }
        return Collections.unmodifiableMap(result);
    }

    private static Object toValue(JsonNode node) {
        if (node.isObject()) {
            return toMap(node);
        }
        if (node.isArray()) {
            List<Object> result = new ArrayList<>();
            for (JsonNode element : node) {
                if (!element.isNull()) {
                    result.add(toValue(element));
                }
            }
            return Collections.unmodifiableList(result);
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        return node.isNumber() ? node.numberValue() : node.asString();
    }

    /** @throws IllegalArgumentException for anything but strings, whole numbers, booleans, maps with string keys, lists */
    static JsonNode toNode(Object value) {
        if (value instanceof String text) {
            return NODES.stringNode(checked(text));
        }
        if (value instanceof Long || value instanceof Integer) {
            return NODES.numberNode(((Number) value).longValue());
        }
        if (value instanceof BigInteger number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = NODES.objectNode();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                if (!(member.getKey() instanceof String key)) {
                    throw new IllegalArgumentException("a member's name is text, not " + member.getKey());
                }
                object.set(checked(key), toNode(member.getValue()));
            }
            return object;
        }
        if (value instanceof List<?> list) {
            ArrayNode array = NODES.arrayNode();
            for (Object element : list) {
                array.add(toNode(element));
            }
            return array;
        }
        throw new IllegalArgumentException("a manifest cannot hold a value of " + value.getClass());
    }

    private static String checked(String text) {
        if (!ManifestJson.isWellFormed(text)) {
            throw new IllegalArgumentException("text with half a surrogate pair cannot be written");
        }
        return text;
    }
}
