package dev.holdfast.engine.wiring;

import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.datastore.DatastoreFactory;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.AtimeSafetyCheck;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcStore;
import dev.holdfast.datastore.gc.NestedStores;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.task.TaskContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Builds stores out of their rooms: the only place that knows how. Safe for use by any thread. */
public final class DatastoreWiring {

    private final StoreEnvironment environment;
    private final DatastoreFactory factory;

    DatastoreWiring(StoreEnvironment environment) {
        this.environment = environment;
        factory = new DatastoreFactory(environment);
    }

    OpenDatastore open(DatastoreConfig config, AccessMode mode, Map<String, Path> others) throws DatastoreException {
        FilesystemDatastore store = factory.open(settings(config), mode);
        GarbageCollector collector = new GarbageCollector(new GcStore(
                store.name(),
                store.layout(),
                store.tuning(),
                store.chunks(),
                store.snapshots(),
                store.processLock().orElse(null),
                store.directoryLocks(),
                store.moveJournal(),
                store.files(),
                GcStore.Time.of(environment.clock()),
                store::saveGcStatus,
                others));
        return new OpenDatastore(store, collector);
    }

    /** Makes a new store on disk, and proves that it keeps access times, unless that is tuned off. */
    public void create(DatastoreConfig config, Map<String, Path> others, TaskContext task) throws DatastoreException {
        checkNotNested(config, others);
        factory.create(settings(config));
        if (!config.tuning().gcAtimeSafetyCheck()) {
            return;
        }
        try (FilesystemDatastore store = factory.open(settings(config), AccessMode.READ_WRITE)) {
            GcStore.Time time = GcStore.Time.of(environment.clock());
            new AtimeSafetyCheck(config.name(), store.chunks(), time.sleeper()).check(task);
        } catch (DatastoreException e) {
            // It is new and empty; leaving it would only be in the way of another attempt.
            destroyQuietly(config, e);
            throw e;
        }
    }

    private void destroyQuietly(DatastoreConfig config, DatastoreException reason) {
        try {
            factory.destroy(settings(config));
        } catch (DatastoreException e) {
            reason.addSuppressed(e);
        }
    }

    /** Looks at an existing store. @return what deviates from the layout without making it unusable */
    public List<String> adopt(DatastoreConfig config, Map<String, Path> others) throws DatastoreException {
        checkNotNested(config, others);
        return factory.adopt(settings(config));
    }

    /** Removes all data of a store. @return what was left behind on purpose */
    public List<String> destroy(DatastoreConfig config) throws DatastoreException {
        return factory.destroy(settings(config));
    }

    private void checkNotNested(DatastoreConfig config, Map<String, Path> others) throws DatastoreException {
        new NestedStores(environment.files(), config.name(), Path.of(config.path()), others).check();
    }

    private static StoreSettings settings(DatastoreConfig config) {
        return new StoreSettings(config.name(), Path.of(config.path()), config.tuning());
    }
}
