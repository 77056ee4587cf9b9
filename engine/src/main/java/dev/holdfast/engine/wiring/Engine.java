package dev.holdfast.engine.wiring;

import dev.holdfast.engine.task.TaskService;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a face needs, opened when it is first asked for. Safe for use by any thread; {@code close} is idempotent.
 */
public final class Engine implements AutoCloseable {

    private final Surroundings surroundings;
    private @Nullable PosixFiles files;
    private @Nullable TaskService tasks;

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

    /** Runs jobs as tasks, with logs in the state directory. */
    public synchronized TaskService tasks() {
        if (tasks == null) {
            tasks = new TaskService(
                    files(), stateDirectory().resolve("tasks"), surroundings.clock(), surroundings.notes());
        }
        return tasks;
    }

    /** Asks all running tasks to stop. @return how many there were */
    public synchronized int abort() {
        return tasks == null ? 0 : tasks.abortAll();
    }

    /** Where task logs and the like go. */
    public Path stateDirectory() {
        return StateDirectory.byDefault(surroundings.environment());
    }

    synchronized PosixFiles files() {
        if (files == null) {
            files = JnrPosixFiles.load();
        }
        return files;
    }

    @Override
    public void close() {}
}
