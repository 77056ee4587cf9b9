package dev.holdfast.engine.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The text of a YAML file that can be changed key by key: every other line, comment and blank stays as it is.
 *
 * <p>A change is made where the parser says that the key stands, and the result is parsed again and compared with the tree
 * that was wanted; a change that cannot be made that way is refused. Immutable.
 */
final class YamlText {

    private static final LoadSettings SETTINGS = LoadSettings.builder().build();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String text;

    YamlText(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /**
     * The whole file as a tree of maps, lists and scalars, in the order of the file.
     *
     * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if it is no YAML
     * @throws IllegalArgumentException if it is no mapping at the top
     */
    Map<String, Object> tree() {
        Object loaded = new Load(SETTINGS).loadFromString(text);
        if (loaded == null) {
            return new LinkedHashMap<>();
        }
        if (!(loaded instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the file must be a mapping of keys to values");
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        map.forEach((key, value) -> tree.put(String.valueOf(key), value));
        return tree;
    }

    /** Sets a key, and makes the mappings on the way to it; the value is a scalar or a map of scalars. */
    YamlText with(List<String> path, Object value) {
        return verified(edit(path, value), path, value);
    }

    /** Removes a key, if it is there. */
    YamlText without(List<String> path) {
        Node node = root().orElse(null);
        for (String key : path.subList(0, path.size() - 1)) {
            node = node instanceof MappingNode map ? value(map, key) : null;
        }
        if (!(node instanceof MappingNode map) || value(map, path.get(path.size() - 1)) == null) {
            return this;
        }
        return verified(removed(map, path.get(path.size() - 1)), path, null);
    }

    private String edit(List<String> path, Object value) {
        Node node = root().orElse(null);
        if (node == null) {
            return (text.isEmpty() || text.endsWith("\n") ? text : text + "\n") + block(path, value, 0);
        }
        for (int depth = 0; ; depth++) {
            if (!(node instanceof MappingNode map)) {
                throw new IllegalArgumentException(
                        String.join(".", path.subList(0, depth)) + " must be a mapping of keys to values");
            }
            Node next = value(map, path.get(depth));
            List<String> rest = path.subList(depth, path.size());
            if (next == null) {
                return inserted(map, rest, value);
            }
            if (rest.size() == 1 || isNull(next)) {
                return replaced(map, rest, next, value);
            }
            node = next;
        }
    }

    private String replaced(MappingNode map, List<String> rest, Node old, Object value) {
        boolean inline = old instanceof ScalarNode || isFlow(old);
        if (inline && rest.size() == 1) {
            int start = start(old);
            String blank = start > 0 && text.charAt(start - 1) == ':' ? " " : "";
            return text.substring(0, start) + blank + inline(value) + text.substring(end(old));
        }
        return new YamlText(removed(map, rest.get(0)))
                .edit(rest.size() == 1 ? pathOf(map, rest) : pathOf(map, rest), value);
    }

    /** The whole path from the top to the key that {@code rest} begins with, in this mapping. */
    private List<String> pathOf(MappingNode map, List<String> rest) {
        List<String> path = new ArrayList<>();
        if (!findPath(root().orElseThrow(), map, path)) {
            throw new IllegalStateException("the mapping is not part of the file");
        }
        path.addAll(rest);
        return path;
    }

    private static boolean findPath(Node from, Node wanted, List<String> path) {
        if (from == wanted) {
            return true;
        }
        if (from instanceof MappingNode map) {
            for (NodeTuple tuple : map.getValue()) {
                path.add(key(tuple));
                if (findPath(tuple.getValueNode(), wanted, path)) {
                    return true;
                }
                path.remove(path.size() - 1);
            }
        }
        return false;
    }

    private String inserted(MappingNode map, List<String> rest, Object value) {
        if (isFlow(map)) {
            int close = end(map) - 1;
            String entry = inline(rest.get(0)) + ": " + inline(nested(rest.subList(1, rest.size()), value));
            String before = text.substring(0, close).stripTrailing();
            return before + (map.getValue().isEmpty() ? "" : ", ") + entry + text.substring(close);
        }
        NodeTuple last = map.getValue().get(map.getValue().size() - 1);
        int indent = column(map.getValue().get(0).getKeyNode());
        int at = lineEnd(contentEnd(last));
        String head = text.substring(0, at);
        String newline = head.endsWith("\n") || head.isEmpty() ? "" : "\n";
        String tail = text.substring(at);
        String entry = block(rest, value, indent);
        return head + newline + (tail.isEmpty() || !tail.startsWith("\n") ? entry : entry.stripTrailing()) + tail;
    }

    private String removed(MappingNode map, String key) {
        List<NodeTuple> tuples = map.getValue();
        int index = indexOf(map, key);
        NodeTuple tuple = tuples.get(index);
        if (isFlow(map)) {
            int from = index > 0 ? end(tuples.get(index - 1).getValueNode()) : start(tuple.getKeyNode());
            int to = index > 0 || tuples.size() == 1
                    ? end(tuple.getValueNode())
                    : start(tuples.get(1).getKeyNode());
            return text.substring(0, from) + text.substring(to);
        }
        int from = lineStart(start(tuple.getKeyNode()));
        int to = lineEnd(contentEnd(tuple));
        if (to < text.length() && text.charAt(to) == '\n') {
            to++;
        }
        if (tuples.size() == 1 && from > 0) {
            // The last key of a mapping: its parent gets an empty mapping in its place.
            int lineBreak = from - 1;
            return text.substring(0, lineBreak) + " {}" + text.substring(lineBreak, from) + text.substring(to);
        }
        return text.substring(0, from) + text.substring(to);
    }

    private YamlText verified(String changed, List<String> path, @Nullable Object value) {
        Map<String, Object> wanted = tree();
        apply(wanted, path, value);
        YamlText result = new YamlText(changed);
        if (!Objects.equals(plain(result.tree()), plain(wanted))) {
            throw new IllegalStateException(
                    "cannot change " + String.join(".", path) + " without touching other keys; edit the file by hand");
        }
        return result;
    }

    private static void apply(Map<String, Object> tree, List<String> path, @Nullable Object value) {
        Map<String, Object> map = tree;
        for (String key : path.subList(0, path.size() - 1)) {
            Map<String, Object> next = new LinkedHashMap<>();
            if (map.get(key) instanceof Map<?, ?> members) {
                members.forEach((k, v) -> next.put(String.valueOf(k), v));
            }
            map.put(key, next);
            map = next;
        }
        if (value == null) {
            map.remove(path.get(path.size() - 1));
        } else {
            map.put(path.get(path.size() - 1), value);
        }
    }

    /** For comparing: numbers as text, empty mappings like absent values. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((k, v) -> {
                Object member = plain(v);
                if (member != null) {
                    plain.put(String.valueOf(k), member);
                }
            });
            return plain.isEmpty() ? null : plain;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(YamlText::plain).toList();
        }
        return value == null ? null : value.toString();
    }

    private Optional<Node> root() {
        return new Compose(SETTINGS).composeString(text).filter(node -> !isNull(node));
    }

    private static @Nullable Node value(MappingNode map, String key) {
        int index = indexOf(map, key);
        return index < 0 ? null : map.getValue().get(index).getValueNode();
    }

    private static int indexOf(MappingNode map, String key) {
        for (int i = 0; i < map.getValue().size(); i++) {
            if (key(map.getValue().get(i)).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private static boolean isNull(Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().getValue().endsWith(":null");
    }

    private static boolean isFlow(Node node) {
        return (node instanceof MappingNode map && map.getFlowStyle() == FlowStyle.FLOW)
                || (node instanceof SequenceNode sequence && sequence.getFlowStyle() == FlowStyle.FLOW);
    }

    /** Where the last character of an entry stands, comments and blank lines behind it left out. */
    private int contentEnd(NodeTuple tuple) {
        Node value = tuple.getValueNode();
        if (value instanceof MappingNode map && !isFlow(map) && !map.getValue().isEmpty()) {
            return contentEnd(map.getValue().get(map.getValue().size() - 1));
        }
        if (value instanceof SequenceNode sequence
                && !isFlow(sequence)
                && !sequence.getValue().isEmpty()) {
            Node last = sequence.getValue().get(sequence.getValue().size() - 1);
            return last instanceof MappingNode map
                            && !isFlow(map)
                            && !map.getValue().isEmpty()
                    ? contentEnd(map.getValue().get(map.getValue().size() - 1))
                    : end(last);
        }
        return Math.max(end(value), end(tuple.getKeyNode()));
    }

    private int lineEnd(int index) {
        if (index > 0 && text.charAt(index - 1) == '\n') {
            return index; // behind a block scalar, whose end is the start of the next line
        }
        int end = text.indexOf('\n', index);
        return end < 0 ? text.length() : end;
    }

    private int lineStart(int index) {
        return text.lastIndexOf('\n', index - 1) + 1;
    }

    private int column(Node node) {
        return node.getStartMark().map(Mark::getColumn).orElseThrow();
    }

    private int start(Node node) {
        return text.offsetByCodePoints(
                0, node.getStartMark().map(Mark::getIndex).orElseThrow());
    }

    private int end(Node node) {
        return text.offsetByCodePoints(0, node.getEndMark().map(Mark::getIndex).orElseThrow());
    }

    private static Object nested(List<String> path, Object value) {
        Object result = value;
        for (int i = path.size() - 1; i >= 0; i--) {
            result = Map.of(path.get(i), result);
        }
        return result;
    }

    private static String block(List<String> path, Object value, int indent) {
        StringBuilder out = new StringBuilder();
        int depth = indent;
        for (String key : path.subList(0, path.size() - 1)) {
            out.append(" ".repeat(depth)).append(inline(key)).append(":\n");
            depth += 2;
        }
        String key = path.get(path.size() - 1);
        out.append(" ".repeat(depth)).append(inline(key)).append(':');
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            int inner = depth + 2;
            map.forEach((k, v) -> out.append(" ".repeat(inner))
                    .append(inline(k))
                    .append(": ")
                    .append(inline(v))
                    .append('\n'));
        } else {
            out.append(' ').append(inline(value)).append('\n');
        }
        return out.toString();
    }

    /** One line of YAML: words and numbers as they are, everything else quoted as in JSON. */
    private static String inline(Object value) {
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
        boolean plain = string.matches("[A-Za-z_/][A-Za-z0-9_./\\-]*")
                && new Load(SETTINGS).loadFromString(string) instanceof String;
        return plain ? string : JSON.writeValueAsString(string);
    }
}
