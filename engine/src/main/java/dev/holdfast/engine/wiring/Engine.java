package dev.holdfast.engine.wiring;

import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.engine.config.ConfigException;
import dev.holdfast.engine.config.ConfigFile;
import dev.holdfast.engine.config.EngineConfig;
import dev.holdfast.engine.task.ProcessIdentity;
import dev.holdfast.engine.task.TaskService;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.JnrTreeFiles;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.TreeFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a face needs, opened when it is first asked for. The configuration is read once: an engine is for one
 * command or request. Safe for use by any thread.
 */
public final class Engine {

    private final Surroundings surroundings;
    private @Nullable PosixFiles files;
    private @Nullable TreeFiles trees;
    private @Nullable ConfigFile configFile;
    private @Nullable EngineConfig config;
    private volatile @Nullable TaskService tasks;

    /**
     * What comes from outside.
     *
     * @param config the configuration file that was named, or null for the usual places
     * @param environment environment variables
     * @param clock the time
     * @param notes receives sentences that a user should see, but that stop nothing
     */
    public record Surroundings(
            @Nullable Path config, Map<String, String> environment, Clock clock, Consumer<String> notes) {}

    public Engine(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    public Clock clock() {
        return surroundings.clock();
    }

    /** Where the configuration is, or would be. */
    public Path configPath() throws ConfigException {
        return ConfigFile.locate(files(), surroundings.config(), surroundings.environment());
    }

    /** The configuration file, for reading and for edits. */
    public synchronized ConfigFile configFile() throws ConfigException {
        ConfigFile known = configFile;
        if (known == null) {
            known = ConfigFile.read(files(), configPath());
            configFile = known;
        }
        return known;
    }

    /** The configured stores. */
    public DatastoreRegistry datastores() throws DatastoreException {
        return new DatastoreRegistry(config(), path(), wiring());
    }

    /** Makes, adopts and removes stores. */
    public DatastoreWiring wiring() throws DatastoreException {
        Path locks = config().lockDirectory().orElse(DirectoryLocks.DEFAULT_DIRECTORY);
        return new DatastoreWiring(new StoreEnvironment(files(), surroundings.clock(), locks));
    }

    /** Runs jobs as tasks, with logs in the state directory. */
    public synchronized TaskService tasks() throws DatastoreException {
        TaskService known = tasks;
        if (known == null) {
            Path state =
                    config().stateDirectory().orElseGet(() -> StateDirectory.byDefault(surroundings.environment()));
            known = new TaskService(files(), state.resolve("tasks"), surroundings.clock(), surroundings.notes());
            tasks = known;
        }
        return known;
    }

    /** Asks all running tasks to stop. @return how many there were */
    public int abort() {
        TaskService known = tasks;
        return known == null ? 0 : known.abortAll();
    }

    /** Who runs this, as {@code name@realm}: the owner of groups that are made. */
    public String user() {
        return ProcessIdentity.current().user();
    }

    /** The door to the operating system; bound when it is first used. */
    public synchronized PosixFiles files() {
        PosixFiles known = files;
        if (known == null) {
            known = JnrPosixFiles.load();
            files = known;
        }
        return known;
    }

    /** The door to the trees that are backed up and restored; bound when it is first used. */
    public synchronized TreeFiles trees() {
        TreeFiles known = trees;
        if (known == null) {
            known = JnrTreeFiles.load();
            trees = known;
        }
        return known;
    }

    private synchronized EngineConfig config() throws DatastoreException {
        EngineConfig known = config;
        if (known == null) {
            try {
                known = configFile().config();
            } catch (ConfigException e) {
                throw new DatastoreException(e.getMessage(), e);
            }
            config = known;
        }
        return known;
    }

    private Path path() throws DatastoreException {
        try {
            return configPath();
        } catch (ConfigException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }
}
