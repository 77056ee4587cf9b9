package dev.holdfast.engine.config;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.Text;
import dev.holdfast.api.schema.OptionSchema.TextOption;
import dev.holdfast.api.schema.SchemaViolationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns the tree of a configuration file into checked values, and collects what is wrong with it. One use. */
final class ConfigReader {

    private static final Pattern ABSOLUTE = Pattern.compile("/[^\\p{Cntrl}]{0,4095}");

    private static final TextOption LOCK_DIRECTORY = new TextOption(
            "lock-directory",
            "an absolute path of at most 4096 characters",
            ABSOLUTE,
            new Text(
                    "",
                    "Where the lock files of groups and snapshots are; unset: /run/proxmox-backup/locks. All programs that"
                            + " work on a store at the same time must use the same directory, Proxmox Backup Server"
                            + " included, or their locks do not keep them apart."));
    private static final TextOption STATE_DIRECTORY = new TextOption(
            "state-directory",
            "an absolute path of at most 4096 characters",
            ABSOLUTE,
            new Text(
                    "",
                    "Where task logs are; unset: /var/lib/holdfast for root, else the user's own state directory"
                            + " ($XDG_STATE_HOME/holdfast)."));

    private static final List<OptionSchema> TOP = List.of(LOCK_DIRECTORY, STATE_DIRECTORY);
    private static final Set<String> OTHER_TOP_KEYS = Set.of("datastores", "s3-clients", "server");
    private static final Set<String> MAPPINGS = Set.of("backend", "tuning", "keep");

    private final List<String> problems = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Map<String, Path> roots = new LinkedHashMap<>();

    /** The schemas of the single values at the top of the file. */
    static List<OptionSchema> topOptions() {
        return TOP;
    }

    /** What is wrong, each with the key's path, the bounds and the value; empty if all is well. */
    List<String> problems() {
        return problems;
    }

    /** Paths of keys that mean nothing here: kept, but perhaps misspelt. */
    List<String> unknown() {
        return unknown;
    }

    EngineConfig read(Map<String, Object> tree) {
        noteUnknown(tree, "", TOP, OTHER_TOP_KEYS);
        Map<String, DatastoreConfig> datastores = new LinkedHashMap<>();
        mapping(tree, "datastores", "datastores").forEach((name, value) -> {
            int before = problems.size();
            String place = "datastores." + name;
            if (value == null) {
                problems.add(place + " must be a mapping of keys to values, with a path");
                return;
            }
            Optional<DatastoreConfig> store =
                    datastore(name, mapping(Collections.singletonMap(name, value), name, place), place);
            if (problems.size() == before) {
                store.ifPresent(config -> datastores.put(name, config));
            }
        });
        findNested();
        return new EngineConfig(
                Collections.unmodifiableMap(datastores),
                value(LOCK_DIRECTORY, tree, "lock-directory", "").map(Path::of),
                value(STATE_DIRECTORY, tree, "state-directory", "").map(Path::of),
                Collections.unmodifiableMap(tree));
    }

    private Optional<DatastoreConfig> datastore(String name, Map<String, @Nullable Object> members, String place) {
        int before = problems.size();
        try {
            var unused = DatastoreConfig.NAME.check(name);
        } catch (SchemaViolationException e) {
            problems.add(place + ": " + e.getMessage());
        }
        noteUnknown(members, place + ".", DatastoreConfig.options(), MAPPINGS);
        Map<String, String> values = values(DatastoreConfig.options(), members, place);
        String path = values.get("path");
        if (path != null) {
            roots.put(name, Path.of(path));
        } else if (members.get("path") == null) {
            problems.add(place + ".path is missing: the root directory of the store");
        }
        Map<String, @Nullable Object> backend = mapping(members, "backend", place + ".backend");
        noteUnknown(backend, place + ".backend.", BackendConfig.options(), Set.of());
        Map<String, String> backendValues = values(BackendConfig.options(), backend, place + ".backend");
        Map<String, @Nullable Object> tuning = mapping(members, "tuning", place + ".tuning");
        noteUnknown(tuning, place + ".tuning.", DatastoreTuning.options(), Set.of());
        Map<String, String> tuningValues = values(DatastoreTuning.options(), tuning, place + ".tuning");
        KeepOptions keep = keep(mapping(members, "keep", place + ".keep"), place + ".keep");
        if (path == null || problems.size() > before) {
            return Optional.empty();
        }
        try {
            // Unknown tuning options stay in their place: the known ones were checked just now.
            tuning.replaceAll((key, value) -> tuningValues.containsKey(key) ? tuningValues.get(key) : value);
            return Optional.of(new DatastoreConfig(
                    name,
                    path,
                    BackendConfig.of(backendValues),
                    DatastoreTuning.of(tuning),
                    new DatastoreConfig.Extras(
                            Optional.ofNullable(values.get("comment")),
                            Optional.ofNullable(values.get("gc-schedule")),
                            keep,
                            Optional.ofNullable(values.get("maintenance-mode")).map(MaintenanceMode::parse))));
        } catch (IllegalArgumentException e) {
            problems.add(place + ".backend: " + e.getMessage());
            return Optional.empty();
        }
    }

    private KeepOptions keep(Map<String, @Nullable Object> members, String place) {
        Map<String, String> counts = new LinkedHashMap<>();
        members.forEach((key, value) -> {
            String name = key.startsWith("keep-") ? key : "keep-" + key;
            KeepOptions.options().stream()
                    .filter(option -> option.name().equals(name))
                    .findFirst()
                    .ifPresentOrElse(
                            option -> value(option, members, key, place + ".").ifPresent(text -> counts.put(key, text)),
                            () -> problems.add(place + "." + key
                                    + " is no retention rule; known are last, hourly, daily, weekly, monthly, yearly"));
        });
        try {
            return KeepOptions.of(counts);
        } catch (IllegalArgumentException e) {
            problems.add(place + ": " + e.getMessage());
            return KeepOptions.NONE;
        }
    }

    private Map<String, String> values(List<OptionSchema> options, Map<String, ?> members, String place) {
        Map<String, String> values = new LinkedHashMap<>();
        for (OptionSchema option : options) {
            value(option, members, option.name(), place + ".").ifPresent(text -> values.put(option.name(), text));
        }
        return values;
    }

    private Optional<String> value(OptionSchema option, Map<String, ?> members, String key, String prefix) {
        Object value = members.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Map<?, ?>) && !(value instanceof List<?>)) {
            try {
                return Optional.of(option.check(value.toString()));
            } catch (SchemaViolationException e) {
                // Reported below, with the whole path of the key.
            }
        }
        problems.add(prefix + key + " must be " + option.bounds() + ", not '" + value + "'");
        return Optional.empty();
    }

    private Map<String, @Nullable Object> mapping(Map<String, ?> members, String key, String place) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        Object value = members.get(key);
        if (value instanceof Map<?, ?> inner) {
            inner.forEach((k, v) -> map.put(String.valueOf(k), v));
        } else if (value != null) {
            problems.add(place + " must be a mapping of keys to values, not '" + value + "'");
        }
        return map;
    }

    private void noteUnknown(Map<String, ?> members, String prefix, List<OptionSchema> known, Set<String> others) {
        for (String key : members.keySet()) {
            if (!others.contains(key)
                    && known.stream().noneMatch(option -> option.name().equals(key))) {
                unknown.add(prefix + key);
            }
        }
    }

    private void findNested() {
        roots.forEach((outer, outerRoot) -> roots.forEach((inner, innerRoot) -> {
            boolean same = outerRoot.equals(innerRoot);
            if (!outer.equals(inner) && innerRoot.startsWith(outerRoot) && (!same || outer.compareTo(inner) < 0)) {
                problems.add("datastores." + inner + ".path: " + innerRoot + (same ? " is" : " lies in")
                        + " the datastore '" + outer + "' (" + outerRoot
                        + "); the garbage collection of one would not see all that the other refers to");
            }
        }));
    }
}
