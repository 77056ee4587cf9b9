package dev.holdfast.engine.config;

import dev.holdfast.api.config.DatastoreConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a configuration file says, checked.
 *
 * @param datastores by name, in the order of the file
 * @param lockDirectory where lock files are; empty for the default
 * @param stateDirectory where task logs are; empty for the default
 * @param raw the whole tree of the file, unchecked, for those who know keys of their own; unmodifiable at the top
 */
public record EngineConfig(
        Map<String, DatastoreConfig> datastores,
        Optional<Path> lockDirectory,
        Optional<Path> stateDirectory,
        Map<String, Object> raw) {

    /** What an empty file says. */
    public static final EngineConfig EMPTY = new EngineConfig(Map.of(), Optional.empty(), Optional.empty(), Map.of());
}
