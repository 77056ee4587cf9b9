package dev.holdfast.engine.task;

import dev.holdfast.api.model.Upid;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs as tasks: gives each an id, a log file and an entry in the task list, and records how it ended. Safe for use by
 * any thread.
 *
 * <p>The directory is a convenience, not a condition: where it cannot be written the work goes on without a log, and the
 * complaint is given once to {@code notes}.
 */
public final class TaskService {

    /** What a task does. */
    @FunctionalInterface
    public interface Body<T> {
        T run(TaskContext task) throws DatastoreException;
    }

    /**
     * The task numbers of this process. Static, because the format counts per process: two services in one process, with one
     * directory or two, must not give out the same id.
     */
    private static final AtomicLong NEXT_ID = new AtomicLong();

    private final PosixFiles files;
    private final Path directory;
    private final Clock clock;
    private final Consumer<String> notes;
    private final AtomicBoolean complained = new AtomicBoolean();
    private final Set<WorkerTask> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ProcessIdentity identity;
    private volatile @Nullable TaskIndex index;

    /**
     * @param directory where logs and lists go; made when the first task starts
     * @param notes receives one sentence if the directory cannot be used
     */
    public TaskService(PosixFiles files, Path directory, Clock clock, Consumer<String> notes) {
        this.files = files;
        this.directory = directory;
        this.clock = clock;
        this.notes = notes;
    }

    /**
     * Runs a task in the calling thread.
     *
     * @param type worker type, for example {@code garbage_collection}
     * @param id what it works on, for example the store's name
     * @throws DatastoreException whatever the body threw, after it has been recorded
     */
    public <T> TaskOutcome<T> run(String type, String id, TaskListener listener, Body<T> body)
            throws DatastoreException {
        Upid upid = newUpid(type, id);
        TaskIndex list = index();
        TaskLog log = openLog(list, upid);
        WorkerTask task = new WorkerTask(upid, log, listener);
        running.add(task);
        TaskState state = TaskState.UNKNOWN;
        try {
            listener.started(task);
            T value = body.run(task);
            state = task.warnings() == 0 ? TaskState.OK : new TaskState.Warnings(task.warnings());
            return new TaskOutcome<>(value, upid, task.warnings());
        } catch (DatastoreException | RuntimeException | Error e) {
            state = new TaskState.Failed(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            running.remove(task);
            log.finish(state);
            record(list, upid, state, log.failure());
            listener.finished(state);
        }
    }

    /** Asks every running task to stop. @return how many there were */
    public int abortAll() {
        running.forEach(WorkerTask::requestAbort);
        return running.size();
    }

    /** Running and finished tasks, newest first. */
    public List<TaskEntry> list(int limit) throws IOException {
        TaskIndex list = index();
        return list == null ? List.of() : list.list(limit);
    }

    private Upid newUpid(String type, String id) {
        ProcessIdentity me = identity;
        if (me == null) {
            me = ProcessIdentity.current();
            identity = me;
        }
        long now = clock.instant().getEpochSecond();
        return new Upid(
                me.node(),
                new Upid.Process(me.pid(), me.pstart()),
                NEXT_ID.getAndIncrement(),
                now,
                new Upid.Work(type, id, me.user()));
    }

    private @Nullable TaskIndex index() {
        TaskIndex known = index;
        if (known == null && !complained.get()) {
            try {
                Files.createDirectories(directory);
                known = new TaskIndex(files, directory);
                index = known;
            } catch (IOException e) {
                complain(e);
            }
        }
        return known;
    }

    private TaskLog openLog(@Nullable TaskIndex list, Upid upid) {
        if (list != null) {
            try {
                TaskLog log = TaskLog.create(list.logFile(upid), clock);
                list.add(upid);
                return log;
            } catch (IOException e) {
                complain(e);
            }
        }
        return TaskLog.none(clock);
    }

    private void record(@Nullable TaskIndex list, Upid upid, TaskState state, @Nullable IOException logFailure) {
        if (logFailure != null) {
            complain(logFailure);
        }
        if (list == null || complained.get()) {
            return;
        }
        try {
            list.finish(upid, state, clock.instant().getEpochSecond());
        } catch (IOException e) {
            complain(e);
        }
    }

    private void complain(IOException e) {
        if (complained.compareAndSet(false, true)) {
            notes.accept("task logs are not kept: " + directory + " cannot be written (" + e.getMessage()
                    + "); set state-directory in the configuration to a place that can");
        }
    }
}
