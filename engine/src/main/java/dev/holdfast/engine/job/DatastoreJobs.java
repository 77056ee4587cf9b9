package dev.holdfast.engine.job;

import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.config.ConfigException;
import dev.holdfast.engine.config.ConfigFile;
import dev.holdfast.engine.config.DatastoreCfgImport;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.FilesystemSpace;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes, adopts, shows, changes and removes stores, on disk and in the configuration. */
public final class DatastoreJobs {

    private final Engine engine;

    /**
     * A store as a listing shows it.
     *
     * @param backend kind of backend
     * @param maintenanceMode why it is not open for all work; null if it is
     * @param keep retention policy, by rule
     * @param tuning options that are set: numbers, booleans and texts
     */
    public record DatastoreItem(
            String name,
            String path,
            @Nullable String comment,
            String backend,
            @Nullable String gcSchedule,
            @Nullable String maintenanceMode,
            Map<String, Integer> keep,
            Map<String, Object> tuning) {

        static DatastoreItem of(DatastoreConfig config) {
            return new DatastoreItem(
                    config.name(),
                    config.path(),
                    config.extras().comment().orElse(null),
                    config.backend().type().toString(),
                    config.extras().gcSchedule().orElse(null),
                    config.extras().maintenance().map(MaintenanceMode::toString).orElse(null),
                    config.extras().keep().toMap(),
                    typed(config.tuning().values()));
        }

        /** Numbers and booleans as such. */
        private static Map<String, Object> typed(Map<String, String> values) {
            Map<String, Object> typed = new LinkedHashMap<>();
            values.forEach((key, value) -> {
                if (value.matches("-?[0-9]{1,18}")) {
                    typed.put(key, Long.parseLong(value));
                } else if (value.equals("true") || value.equals("false")) {
                    typed.put(key, Boolean.parseBoolean(value));
                } else {
                    typed.put(key, value);
                }
            });
            return typed;
        }
    }

    /**
     * A store, looked at.
     *
     * @param total bytes of the filesystem that holds its chunks
     * @param used bytes of it in use, by whatever
     * @param avail bytes that may still be written
     * @param counts groups and snapshots by type of backup
     * @param gcStatus figures of the last successful garbage collection
     */
    public record DatastoreFacts(
            DatastoreItem config,
            long total,
            long used,
            long avail,
            Map<String, Count> counts,
            GarbageCollectionStatus gcStatus) {}

    /** How many groups and snapshots there are. */
    public record Count(long groups, long snapshots) {}

    /**
     * What an import did.
     *
     * @param added stores that are configured now
     * @param skipped stores that were already
     */
    public record ImportResult(List<String> added, List<String> skipped, List<String> warnings) {}

    public DatastoreJobs(Engine engine) {
        this.engine = engine;
    }

    public List<DatastoreItem> list() throws DatastoreException {
        return engine.datastores().all().values().stream()
                .map(DatastoreItem::of)
                .toList();
    }

    public DatastoreItem get(String name) throws DatastoreException {
        return DatastoreItem.of(engine.datastores().get(name));
    }

    public DatastoreFacts show(String name) throws DatastoreException {
        DatastoreItem config = get(name);
        try (OpenDatastore open = engine.datastores().open(name, AccessMode.READ_ONLY)) {
            FilesystemSpace space = open.files().space(open.layout().chunks());
            return new DatastoreFacts(
                    config,
                    space.totalBytes(),
                    space.totalBytes() - space.freeBytes(),
                    space.freeBytes(),
                    counts(open),
                    open.lastCollection());
        } catch (PosixException e) {
            throw Failure.wrapped(e);
        }
    }

    private static Map<String, Count> counts(OpenDatastore open) throws DatastoreException {
        Map<String, Count> counts = new LinkedHashMap<>();
        for (BackupNamespace namespace : open.snapshots().namespaces(BackupNamespace.ROOT, BackupNamespace.MAX_DEPTH)) {
            for (BackupGroup group : open.snapshots().groups(namespace)) {
                int snapshots = open.snapshots().snapshots(namespace, group).size();
                counts.merge(
                        group.type().toString(),
                        new Count(1, snapshots),
                        (a, b) -> new Count(a.groups() + b.groups(), a.snapshots() + b.snapshots()));
            }
        }
        return counts;
    }

    /** Makes a store on disk and configures it. */
    public DatastoreItem create(DatastoreConfig config, TaskListener listener) throws DatastoreException {
        ConfigFile file = fileFor(config.name());
        engine.tasks().run("create-datastore", config.name(), listener, task -> {
            engine.wiring().create(config, engine.datastores().others(config.name()), task);
            return config;
        });
        try {
            add(file, config);
        } catch (DatastoreException e) {
            throw new DatastoreException(
                    e.getMessage() + "; the store is made, configure it with 'datastore add " + config.name() + " "
                            + config.path() + "'",
                    e);
        }
        return DatastoreItem.of(config);
    }

    /** Configures a store that exists; nothing in it is changed. Warnings tell what is odd about it. */
    public Listing<DatastoreItem> adopt(DatastoreConfig config) throws DatastoreException {
        ConfigFile file = fileFor(config.name());
        List<String> odd = engine.wiring().adopt(config, engine.datastores().others(config.name()));
        add(file, config);
        return new Listing<>(List.of(DatastoreItem.of(config)), odd);
    }

    /** Takes stores out of a {@code datastore.cfg}; those of a known name are left alone. */
    public ImportResult importConfig(Path cfg) throws DatastoreException {
        DatastoreCfgImport.Result parsed;
        try {
            parsed = DatastoreCfgImport.parse(Files.readString(cfg, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new SnapshotMissingException(cfg.toString(), "there is no file " + cfg, e);
        } catch (IOException e) {
            throw new DatastoreException("cannot read " + cfg + ": " + e.getMessage(), e);
        }
        Map<String, DatastoreConfig> known = engine.datastores().all();
        List<String> added = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        try {
            ConfigFile file = engine.configFile();
            for (DatastoreConfig config : parsed.datastores()) {
                if (known.containsKey(config.name()) || added.contains(config.name())) {
                    skipped.add(config.name());
                } else {
                    file.addDatastore(config);
                    added.add(config.name());
                }
            }
            if (!added.isEmpty()) {
                requireSound(file);
                file.write();
            }
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
        return new ImportResult(added, skipped, parsed.warnings());
    }

    /** Changes members of a store's configuration; a null value takes a member away. */
    public DatastoreItem update(String name, Map<String, @Nullable Object> changes) throws DatastoreException {
        edit(name, file -> file.setOptions(name, changes));
        return reread(name);
    }

    /** Sets and unsets tuning options. */
    public DatastoreItem tune(String name, Map<String, String> set, List<String> unset) throws DatastoreException {
        edit(name, file -> file.setTuning(name, set, unset));
        return reread(name);
    }

    /** Takes a store out of the configuration; its data stays. */
    public void forget(String name) throws DatastoreException {
        edit(name, file -> file.removeDatastore(name));
    }

    /**
     * Takes a store out of the configuration and removes its data.
     *
     * @return what was left behind on purpose
     */
    public List<String> destroy(String name, TaskListener listener) throws DatastoreException {
        DatastoreConfig config = engine.datastores().get(name);
        List<String> left = engine.tasks()
                .run("delete-datastore", name, listener, task -> engine.wiring().destroy(config))
                .value();
        forget(name);
        return left;
    }

    private interface Edit {
        void apply(ConfigFile file) throws ConfigException;
    }

    private void edit(String name, Edit edit) throws DatastoreException {
        engine.datastores().get(name);
        try {
            ConfigFile file = engine.configFile();
            edit.apply(file);
            requireSound(file);
            file.write();
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    private DatastoreItem reread(String name) throws DatastoreException {
        try {
            DatastoreConfig config = engine.configFile().config().datastores().get(name);
            if (config == null) {
                throw new DatastoreException("datastore '" + name + "' vanished from the configuration");
            }
            return DatastoreItem.of(config);
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    private ConfigFile fileFor(String newName) throws DatastoreException {
        if (engine.datastores().all().containsKey(newName)) {
            throw new AlreadyExistsException(newName, "there is a datastore '" + newName + "' already");
        }
        try {
            return engine.configFile();
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    private static void add(ConfigFile file, DatastoreConfig config) throws DatastoreException {
        try {
            file.addDatastore(config);
            requireSound(file);
            file.write();
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    /** Nothing is written that could not be read again. */
    private static void requireSound(ConfigFile file) throws ConfigException {
        var unused = file.config();
    }
}
