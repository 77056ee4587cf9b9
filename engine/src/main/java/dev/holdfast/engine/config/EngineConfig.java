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
 */
public record EngineConfig(
        Map<String, DatastoreConfig> datastores, Optional<Path> lockDirectory, Optional<Path> stateDirectory) {

    /** What an empty file says. */
    public static final EngineConfig EMPTY = new EngineConfig(Map.of(), Optional.empty(), Optional.empty());
}
