package dev.holdfast.engine.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Changes one key in the text of a YAML file, at the place where the parser found it.
 *
 * <p>A mapping stands in a file in one of two ways, which need different cuts. In a flow mapping, {@code {a: 1, b: 2}},
 * entries are cut at their braces and commas. In a block mapping they are cut at whole lines, from the line of the key to
 * the last line of its value; a comment behind that belongs to the value if it is indented deeper than the key. Whoever
 * calls this checks the result: with anchors and other rare ways of writing it can be wrong.
 */
final class YamlEdit {

    private final String text;
    private final Optional<Node> root;

    YamlEdit(String text) {
        this.text = text;
        this.root = new Compose(YamlText.SETTINGS).composeString(text);
    }

    /** The text with a key set, and with the mappings on the way to it made. */
    String set(List<String> path, Object value) {
        Node node = root.orElse(null);
        if (node == null || isNull(node)) {
            String kept = node == null ? text : cut(start(node), end(node), "");
            return kept + (kept.isEmpty() || kept.endsWith("\n") ? "" : "\n") + YamlWriting.block(path, value, 0);
        }
        for (int depth = 0; ; depth++) {
            if (!(node instanceof MappingNode map)) {
                throw new IllegalArgumentException(
                        String.join(".", path.subList(0, depth)) + " must be a mapping of keys to values");
            }
            NodeTuple tuple = find(map, path.get(depth));
            List<String> below = path.subList(depth + 1, path.size());
            if (tuple == null) {
                return inserted(map, path.subList(depth, path.size()), value);
            }
            if (below.isEmpty() || isNull(tuple.getValueNode())) {
                return replaced(map, tuple, below, value);
            }
            node = tuple.getValueNode();
        }
    }

    /** The text without a key; the same text if it is not there. */
    String remove(List<String> path) {
        Node node = root.orElse(null);
        NodeTuple parent = null;
        for (String key : path.subList(0, path.size() - 1)) {
            parent = node instanceof MappingNode map ? find(map, key) : null;
            node = parent == null ? null : parent.getValueNode();
        }
        NodeTuple tuple = node instanceof MappingNode map ? find(map, path.get(path.size() - 1)) : null;
        return tuple == null ? text : removed((MappingNode) node, tuple, parent);
    }

    private String inserted(MappingNode map, List<String> path, Object value) {
        if (!isFlow(map)) {
            List<NodeTuple> tuples = map.getValue();
            int indent = column(tuples.get(0).getKeyNode());
            int at = blockEnd(tuples.get(tuples.size() - 1));
            String newline = at == 0 || text.charAt(at - 1) == '\n' ? "" : "\n";
            return cut(at, at, newline + YamlWriting.block(path, value, indent));
        }
        String entry = YamlWriting.inline(path.get(0)) + ": "
                + YamlWriting.inline(nested(path.subList(1, path.size()), value));
        int open = start(map);
        int close = end(map) - 1;
        if (map.getValue().isEmpty()) {
            return cut(open, close + 1, "{" + entry + "}");
        }
        if (text.substring(open, close).indexOf('\n') >= 0) {
            // The last line may end in a comment or a comma: the front is the safe side.
            return cut(open + 1, open + 1, entry + ", ");
        }
        int last = open + text.substring(open, close).stripTrailing().length();
        return cut(last, last, (text.charAt(last - 1) == ',' ? " " : ", ") + entry);
    }

    private String replaced(MappingNode map, NodeTuple tuple, List<String> below, Object value) {
        Node old = tuple.getValueNode();
        Object wanted = nested(below, value);
        int indent = column(tuple.getKeyNode()) + 2;
        boolean members = wanted instanceof Map<?, ?> m && !m.isEmpty();
        if (!isFlow(map) && isNull(old) && members) {
            // The line of the key stays, without a null that may be written there.
            String bare = cut(start(old), end(old), "");
            int lineEnd = bare.indexOf('\n', colon(tuple));
            String head = lineEnd < 0 ? bare + "\n" : bare.substring(0, lineEnd + 1);
            return head + under(below, value, indent) + (lineEnd < 0 ? "" : bare.substring(lineEnd + 1));
        }
        if (!isFlow(map) && isBlockCollection(old)) {
            // The line of the key stays, and what stands between it and the first member.
            int from = lineStart(start(old));
            int to = blockEnd(tuple);
            return members
                    ? cut(from, to, under(below, value, indent))
                    : writtenAt(colon(tuple), wanted) + text.substring(colon(tuple), from) + text.substring(to);
        }
        int from = start(old);
        int to = end(old);
        // A block scalar ends behind its last line break.
        String newline = to > from && text.charAt(to - 1) == '\n' ? "\n" : "";
        return writtenAt(from, wanted) + newline + text.substring(to);
    }

    /** The text up to a place, and a value there, with a blank between a colon and the value. */
    private String writtenAt(int place, Object value) {
        String blank = place > 0 && text.charAt(place - 1) == ':' ? " " : "";
        return text.substring(0, place) + blank + YamlWriting.inline(value);
    }

    private static String under(List<String> below, Object value, int indent) {
        return below.isEmpty()
                ? YamlWriting.members((Map<?, ?>) value, indent)
                : YamlWriting.block(below, value, indent);
    }

    private String removed(MappingNode map, NodeTuple tuple, @Nullable NodeTuple parent) {
        List<NodeTuple> tuples = map.getValue();
        int index = tuples.indexOf(tuple);
        if (isFlow(map)) {
            int from = index > 0 ? end(tuples.get(index - 1).getValueNode()) : start(tuple.getKeyNode());
            int to = index > 0 || tuples.size() == 1
                    ? end(tuple.getValueNode())
                    : start(tuples.get(1).getKeyNode());
            return cut(from, to, "");
        }
        int from = lineStart(start(tuple.getKeyNode()));
        int to = blockEnd(tuple);
        if (tuples.size() > 1 || parent == null) {
            return cut(from, to, "");
        }
        int colon = colon(parent);
        return text.substring(0, colon) + " {}" + text.substring(colon, from) + text.substring(to);
    }

    // --- places in the text
    // -------------------------------------------------------------------------------------------

    /** Behind the line break that ends an entry of a block mapping, and behind the comments that belong to it. */
    private int blockEnd(NodeTuple tuple) {
        int end = nextLine(contentEnd(tuple));
        int column = column(tuple.getKeyNode());
        while (end < text.length()) {
            int next = nextLine(end + 1);
            String line = text.substring(end, next);
            int indent = line.length() - line.stripLeading().length();
            if (!line.startsWith("#", indent) || indent <= column) {
                break;
            }
            end = next;
        }
        return end;
    }

    /** Behind the last character of an entry, comments and blank lines behind it left out. */
    private int contentEnd(NodeTuple tuple) {
        return Math.max(contentEnd(tuple.getValueNode()), colon(tuple));
    }

    /** The parser lets a block collection end where the next thing begins; its last member knows better. */
    private int contentEnd(Node node) {
        if (node instanceof MappingNode map && !isFlow(map) && !map.getValue().isEmpty()) {
            return contentEnd(map.getValue().get(map.getValue().size() - 1));
        }
        if (node instanceof SequenceNode list
                && !isFlow(list)
                && !list.getValue().isEmpty()) {
            return contentEnd(list.getValue().get(list.getValue().size() - 1));
        }
        return end(node);
    }

    /** Behind the colon of an entry. */
    private int colon(NodeTuple tuple) {
        int end = end(tuple.getKeyNode());
        int colon = text.indexOf(':', end);
        if (colon < 0 || !text.substring(end, colon).isBlank()) {
            throw new IllegalStateException("the key '" + key(tuple) + "' is not written as KEY: VALUE");
        }
        return colon + 1;
    }

    /** The first index of the line behind this place; the place itself if it is the first of a line. */
    private int nextLine(int index) {
        if (index > 0 && text.charAt(index - 1) == '\n') {
            return index;
        }
        int end = text.indexOf('\n', index);
        return end < 0 ? text.length() : end + 1;
    }

    private int lineStart(int index) {
        return text.lastIndexOf('\n', index - 1) + 1;
    }

    private static int column(Node node) {
        return node.getStartMark().map(Mark::getColumn).orElseThrow();
    }

    private int start(Node node) {
        return text.offsetByCodePoints(
                0, node.getStartMark().map(Mark::getIndex).orElseThrow());
    }

    private int end(Node node) {
        return text.offsetByCodePoints(0, node.getEndMark().map(Mark::getIndex).orElseThrow());
    }

    private String cut(int from, int to, String replacement) {
        return text.substring(0, from) + replacement + text.substring(to);
    }

    // --- nodes
    // --------------------------------------------------------------------------------------------------------

    private static @Nullable NodeTuple find(MappingNode map, String key) {
        for (NodeTuple tuple : map.getValue()) {
            if (key(tuple).equals(key)) {
                return tuple;
            }
        }
        return null;
    }

    private static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static boolean isFlow(Node node) {
        return node instanceof CollectionNode<?> collection && collection.getFlowStyle() == FlowStyle.FLOW;
    }

    private static boolean isBlockCollection(Node node) {
        return node instanceof CollectionNode<?> && !isFlow(node);
    }

    private static Object nested(List<String> path, Object value) {
        Object result = value;
        for (int i = path.size() - 1; i >= 0; i--) {
            result = Map.of(path.get(i), result);
        }
        return result;
    }
}
