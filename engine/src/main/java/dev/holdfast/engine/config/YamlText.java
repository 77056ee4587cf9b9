package dev.holdfast.engine.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The text of a YAML file that can be changed key by key: every other line, comment and blank stays as it is.
 *
 * <p>A change is made where the parser says that the key stands, see {@link YamlEdit}. The result is parsed again and
 * compared with the tree that was wanted, so that an edit is either right or refused, whatever the file looks like.
 * Immutable.
 */
final class YamlText {

    /** The core schema of YAML 1.2, which other tools read as well: null is also written {@code ~}, true also {@code True}. */
    static final LoadSettings SETTINGS =
            LoadSettings.builder().setSchema(new CoreSchema()).build();

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

    /**
     * Sets a key, and makes the mappings on the way to it.
     *
     * @param value a text, a number, a boolean, or a map of those
     * @throws IllegalArgumentException if something else than a mapping stands on the way
     * @throws IllegalStateException if the file is written in a way that does not allow this
     */
    YamlText with(List<String> path, Object value) {
        return verified(new YamlEdit(text).set(path, value), path, value);
    }

    /**
     * Removes a key, if it is there, with all that is below it and the comments in there.
     *
     * @throws IllegalStateException if the file is written in a way that does not allow this
     */
    YamlText without(List<String> path) {
        String changed = new YamlEdit(text).remove(path);
        return changed.equals(text) ? this : verified(changed, path, null);
    }

    private YamlText verified(String changed, List<String> path, @Nullable Object value) {
        Map<String, Object> wanted = tree();
        apply(wanted, path, value);
        YamlText result = new YamlText(changed);
        if (!Objects.equals(comparable(result.tree()), comparable(wanted))) {
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

    /** For comparing: numbers of all types alike, but never like a text; empty mappings like absent values. */
    private static @Nullable Object comparable(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((k, v) -> {
                Object member = comparable(v);
                if (member != null) {
                    members.put(String.valueOf(k), member);
                }
            });
            return members.isEmpty() ? null : members;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(YamlText::comparable).toList();
        }
        return value instanceof Number ? List.of("number", value.toString()) : value;
    }
}
