package dev.holdfast.engine.config;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.PropertyString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code datastore.cfg} of Proxmox Backup Server: sections that begin with {@code datastore: NAME}, and below each
 * lines of white space, a key, a blank and a value.
 */
public final class DatastoreCfgImport {

    private static final Set<String> TAKEN =
            Set.of("path", "comment", "gc-schedule", "tuning", "maintenance-mode", "backend");

    private static final Set<String> KEEP =
            KeepOptions.options().stream().map(OptionSchema::name).collect(Collectors.toUnmodifiableSet());

    /**
     * @param datastores what was understood, in the order of the file
     * @param warnings what was not, with the section and the line
     */
    public record Result(List<DatastoreConfig> datastores, List<String> warnings) {}

    private final List<DatastoreConfig> datastores = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private DatastoreCfgImport() {}

    /** Takes a whole file; nothing in it makes this fail as a whole. */
    public static Result parse(String text) {
        DatastoreCfgImport parser = new DatastoreCfgImport();
        @Nullable String name = null;
        Map<String, String> options = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            if (Character.isWhitespace(line.charAt(0))) {
                String[] words = line.strip().split("\\s+", 2);
                if (name != null && options.put(words[0], words.length > 1 ? words[1] : "") != null) {
                    parser.warnings.add("line " + number + ": '" + words[0] + "' stands twice, the last one is taken");
                }
                continue;
            }
            parser.section(name, options);
            options = new LinkedHashMap<>();
            name = line.startsWith("datastore:")
                    ? line.substring("datastore:".length()).strip()
                    : null;
            if (name == null) {
                parser.warnings.add("line " + number + ": not a datastore, skipped: " + line.strip());
            }
        }
        parser.section(name, options);
        return new Result(List.copyOf(parser.datastores), List.copyOf(parser.warnings));
    }

    private void section(@Nullable String name, Map<String, String> options) {
        if (name == null) {
            return;
        }
        try {
            datastores.add(config(name, options));
            options.keySet().stream()
                    .filter(key -> !TAKEN.contains(key) && !KEEP.contains(key))
                    .forEach(key -> warnings.add(name + ": option '" + key + "' is not taken over"));
        } catch (IllegalArgumentException e) {
            warnings.add(name + ": skipped: " + e.getMessage());
        }
    }

    private DatastoreConfig config(String name, Map<String, String> options) {
        if (options.containsKey("backing-device")) {
            throw new IllegalArgumentException(
                    "removable stores (backing-device) are not supported; add it by its path");
        }
        Map<String, String> keep = new LinkedHashMap<>();
        options.forEach((key, value) -> {
            if (KEEP.contains(key)) {
                keep.put(key, value);
            }
        });
        String path = options.get("path");
        if (path == null) {
            throw new IllegalArgumentException("path is missing");
        }
        return new DatastoreConfig(
                name,
                path,
                backend(name, options.getOrDefault("backend", "")),
                DatastoreTuning.parse(options.getOrDefault("tuning", "")),
                new DatastoreConfig.Extras(
                        Optional.ofNullable(options.get("comment")),
                        Optional.ofNullable(options.get("gc-schedule")),
                        KeepOptions.of(keep),
                        maintenance(name, options.getOrDefault("maintenance-mode", ""))));
    }

    private BackendConfig backend(String name, String text) {
        BackendConfig backend = BackendConfig.parse(text);
        backend.client()
                .ifPresent(client -> warnings.add(name + ": the S3 client '" + client
                        + "' is configured elsewhere (s3.cfg); enter it below s3-clients"));
        return backend;
    }

    private Optional<MaintenanceMode> maintenance(String name, String text) {
        Map<String, String> values = PropertyString.parse(text, "type");
        String type = values.get("type");
        if (type == null) {
            return Optional.empty();
        }
        if (values.containsKey("message")) {
            warnings.add(name + ": the message of the maintenance mode is not taken over");
        }
        return Optional.of(
                switch (type) {
                    case "read-only", "offline", "delete" -> MaintenanceMode.parse(type);
                    default -> {
                        // Better closed than open: whoever set it did not want work on the store.
                        warnings.add(name + ": maintenance mode '" + type + "' is taken over as offline");
                        yield MaintenanceMode.OFFLINE;
                    }
                });
    }
}
