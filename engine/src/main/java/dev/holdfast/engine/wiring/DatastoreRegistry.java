package dev.holdfast.engine.wiring;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.config.EngineConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The configured stores, by name. Safe for use by any thread. */
public final class DatastoreRegistry {

    private final EngineConfig config;
    private final Path configFile;
    private final DatastoreWiring wiring;

    DatastoreRegistry(EngineConfig config, Path configFile, DatastoreWiring wiring) {
        this.config = config;
        this.configFile = configFile;
        this.wiring = wiring;
    }

    /** All stores, in the order of the configuration. */
    public Map<String, DatastoreConfig> all() {
        return config.datastores();
    }

    /** @throws NotConfiguredException if there is none of that name */
    public DatastoreConfig get(String name) throws NotConfiguredException {
        DatastoreConfig found = config.datastores().get(name);
        if (found == null) {
            String known = config.datastores().isEmpty()
                    ? "it names none; make one with 'datastore create'"
                    : "known are " + String.join(", ", config.datastores().keySet());
            throw new NotConfiguredException(name, "no datastore '" + name + "' in " + configFile + "; " + known);
        }
        return found;
    }

    /**
     * Opens a store; the caller closes it.
     *
     * @throws NotConfiguredException if there is none of that name
     * @throws MaintenanceException if its maintenance mode forbids this kind of access
     */
    public OpenDatastore open(String name, AccessMode mode) throws DatastoreException {
        DatastoreConfig store = get(name);
        checkMaintenance(store, mode);
        requireFilesystem(store);
        return wiring.open(store, mode, others(name));
    }

    /** Roots of all stores but this one. */
    public Map<String, Path> others(String name) {
        Map<String, Path> others = new LinkedHashMap<>();
        config.datastores().forEach((other, store) -> {
            if (!other.equals(name)) {
                others.put(other, Path.of(store.path()));
            }
        });
        return others;
    }

    private static void checkMaintenance(DatastoreConfig store, AccessMode wanted) throws MaintenanceException {
        MaintenanceMode mode = store.extras().maintenance().orElse(null);
        boolean readable = mode == null || mode == MaintenanceMode.READ_ONLY && wanted == AccessMode.READ_ONLY;
        if (!readable) {
            throw new MaintenanceException("datastore '" + store.name() + "' is in maintenance mode " + mode
                    + "; end it with 'datastore update " + store.name() + " --maintenance-mode none'");
        }
    }

    private static void requireFilesystem(DatastoreConfig store) throws DatastoreException {
        if (store.backend().type() != BackendConfig.Type.FILESYSTEM) {
            throw new DatastoreException("datastore '" + store.name() + "' has a backend of type "
                    + store.backend().type() + ", which is not included in this version");
        }
    }
}
