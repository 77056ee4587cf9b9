package dev.holdfast.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.Upid;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.posix.JnrPosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskServiceTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_769_860_805);

    @TempDir
    Path directory;

    private final List<String> notes = new ArrayList<>();
    private TaskService tasks;

    @BeforeEach
    void makeService() {
        tasks = service(directory.resolve("tasks"));
    }

    private TaskService service(Path place) {
        return new TaskService(JnrPosixFiles.load(), place, Clock.fixed(NOW, ZoneOffset.UTC), notes::add);
    }

    @Test
    void finishedTask_hasLogAndEntry() throws Exception {
        TaskOutcome<String> outcome = tasks.run("garbage_collection", "store1", TaskListener.none(), task -> {
            task.log("one");
            return "value";
        });

        assertThat(outcome.value()).isEqualTo("value");
        assertThat(outcome.warnings()).isZero();
        List<String> lines = Files.readAllLines(logOf(outcome.upid()));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d: one");
        assertThat(lines.get(0).substring(25)).isEqualTo(": one");
        assertThat(lines.get(1)).endsWith(": TASK OK");
        assertThat(tasks.list(10)).containsExactly(new TaskEntry(outcome.upid(), NOW.getEpochSecond(), TaskState.OK));
        assertThat(notes).isEmpty();
    }

    @Test
    void warnings_areCounted() throws Exception {
        TaskOutcome<Integer> outcome = tasks.run("verify", "store1", TaskListener.none(), task -> {
            task.warn("a");
            task.warn("b");
            return 1;
        });

        assertThat(outcome.warnings()).isEqualTo(2);
        assertThat(tasks.list(1).get(0).state()).isEqualTo(new TaskState.Warnings(2));
        assertThat(Files.readString(logOf(outcome.upid()))).endsWith(": TASK WARNINGS: 2\n");
    }

    @Test
    void failure_isRecordedOnOneLineOfTheList() throws IOException {
        assertThatThrownBy(() -> tasks.run("prune", "store1", TaskListener.none(), task -> {
                    throw new DatastoreException("first\nsecond");
                }))
                .isInstanceOf(DatastoreException.class);

        assertThat(tasks.list(10)).hasSize(1);
        assertThat(tasks.list(1).get(0).state()).isEqualTo(new TaskState.Failed("first second"));
    }

    @Test
    void abortRequest_reachesTheWork() throws IOException {
        assertThatThrownBy(() -> tasks.run("backup", "store1:vm/100", TaskListener.none(), task -> {
                    assertThat(tasks.abortAll()).isEqualTo(1);
                    task.checkAbort();
                    return "never";
                }))
                .isInstanceOf(TaskAbortedException.class);

        assertThat(tasks.abortAll()).isZero();
        assertThat(Files.readString(logOf(tasks.list(1).get(0).upid()))).contains(": received abort request ...\n");
    }

    @Test
    void entryOfDeadProcess_isArchivedWithTheStateOfItsLog() throws Exception {
        Upid dead = upid(Integer.MAX_VALUE, 77, "s");
        Path place = directory.resolve("tasks");
        Files.createDirectories(place.resolve("4D"));
        Files.writeString(
                place.resolve("4D").resolve(dead.toString()),
                "2023-11-14T22:13:21+00:00: x\n2023-11-14T22:13:25+00:00: TASK ERROR: broken\n");
        Files.writeString(place.resolve("active"), dead + "\nnot a task\n");

        tasks.run("verify", "s", TaskListener.none(), task -> 1);

        assertThat(Files.readAllLines(place.resolve("archive")).get(0)).isEqualTo(dead + " 6553F105 broken");
        assertThat(tasks.list(10)).hasSize(2);
    }

    @Test
    void logWithoutResult_tellsUnknown() throws Exception {
        Path log = directory.resolve("log");
        Files.writeString(log, "2023-11-14T22:13:21+00:00: still working\nno time here\n");

        assertThat(TaskLog.result(log, 5)).isEqualTo(new TaskLog.Result(TaskState.UNKNOWN, 1_700_000_001));
        Files.writeString(log, "nothing");
        assertThat(TaskLog.result(log, 5)).isEqualTo(new TaskLog.Result(TaskState.UNKNOWN, 5));
    }

    @Test
    void unusableDirectory_isToldOnceAndStopsNothing() throws Exception {
        Files.writeString(directory.resolve("file"), "");
        TaskService unusable = service(directory.resolve("file").resolve("tasks"));

        unusable.run("verify", "s", TaskListener.none(), task -> 1);
        unusable.run("verify", "s", TaskListener.none(), task -> 1);

        assertThat(notes).hasSize(1);
        assertThat(notes.get(0)).contains("state-directory");
        assertThat(unusable.list(5)).isEmpty();
    }

    @Test
    void longArchive_isRotatedAndStillListed() throws Exception {
        Path place = directory.resolve("tasks");
        Files.createDirectories(place);
        String line = upid(1, 1, "x".repeat(400)) + " 6553F165 OK\n";
        int lines = (int) (TaskIndex.ROTATE_BYTES / line.length() + 1);
        Files.writeString(place.resolve("archive"), line.repeat(lines));
        Files.writeString(place.resolve("archive.1"), line);

        tasks.run("verify", "s", TaskListener.none(), task -> 1);

        assertThat(place.resolve("archive.2.zst")).exists();
        assertThat(tasks.list(Integer.MAX_VALUE)).hasSize(lines + 2);
        assertThat(tasks.list(1).get(0).upid().work().type()).isEqualTo("verify");
    }

    private static Upid upid(long pid, long start, String id) {
        return new Upid(
                "node", new Upid.Process(pid, start), 0, 1_700_000_000, new Upid.Work("backup", id, "root@pam"));
    }

    private Path logOf(Upid upid) {
        return directory.resolve("tasks").resolve(TaskIndex.subdirectory(upid)).resolve(upid.toString());
    }
}
