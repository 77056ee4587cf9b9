package dev.holdfast.engine.config;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns the tree of a configuration file into checked values, and collects what is wrong with it. One use. */
final class ConfigReader {

    private final List<String> problems = new ArrayList<>();

    /** What is wrong, each with the key's path, the bounds and the value; empty if all is well. */
    List<String> problems() {
        return problems;
    }

    EngineConfig read(Map<String, Object> tree) {
        Map<String, DatastoreConfig> datastores = new LinkedHashMap<>();
        map(tree.get("datastores"), "datastores").forEach((name, value) -> {
            String place = "datastores." + name;
            try {
                datastores.put(name, datastore(name, map(value, place), place));
            } catch (IllegalArgumentException e) {
                problems.add(place + ": " + e.getMessage());
            }
        });
        findNested(datastores);
        return new EngineConfig(
                Collections.unmodifiableMap(datastores),
                directory(tree, "lock-directory"),
                directory(tree, "state-directory"));
    }

    private DatastoreConfig datastore(String name, Map<String, Object> members, String place) {
        String path = text(members, "path")
                .orElseThrow(() -> new IllegalArgumentException("path is missing: the root of the store"));
        return new DatastoreConfig(
                name,
                path,
                BackendConfig.of(map(members.get("backend"), place + ".backend")),
                DatastoreTuning.of(map(members.get("tuning"), place + ".tuning")),
                new DatastoreConfig.Extras(
                        text(members, "comment"),
                        text(members, "gc-schedule"),
                        KeepOptions.of(map(members.get("keep"), place + ".keep")),
                        text(members, "maintenance-mode").map(MaintenanceMode::parse)));
    }

    private void findNested(Map<String, DatastoreConfig> datastores) {
        datastores.forEach((nameA, a) -> datastores.forEach((nameB, b) -> {
            Path pathA = Path.of(a.path()).normalize();
            Path pathB = Path.of(b.path()).normalize();
            if (!nameA.equals(nameB)
                    && pathB.startsWith(pathA)
                    && (!pathA.equals(pathB) || nameA.compareTo(nameB) < 0)) {
                problems.add("datastores." + nameB + ".path: " + pathB + " lies in the datastore '" + nameA + "' ("
                        + pathA + "); the garbage collection of one would not see all that the other refers to");
            }
        }));
    }

    private Optional<Path> directory(Map<String, Object> tree, String key) {
        Optional<String> text = text(tree, key);
        if (text.isPresent() && !text.get().startsWith("/")) {
            problems.add(key + " must be an absolute path, not '" + text.get() + "'");
            return Optional.empty();
        }
        return text.map(Path::of);
    }

    private static Optional<String> text(Map<String, Object> members, String key) {
        Object value = members.get(key);
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            throw new IllegalArgumentException(key + " must be a single value");
        }
        return value == null ? Optional.empty() : Optional.of(value.toString());
    }

    private Map<String, Object> map(Object value, String place) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((key, member) -> map.put(String.valueOf(key), member));
        } else if (value != null) {
            problems.add(place + " must be a mapping of keys to values, not '" + value + "'");
        }
        return map;
    }
}
