package dev.holdfast.engine.task;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The log file of one task. Lines are {@code TIMESTAMP: text}, the timestamp local, to the second, with a numeric offset:
 * always 25 characters, because clients cut it off by counting. Safe for use by any thread.
 *
 * <p>A log that cannot be written must not stop the work: the first failure closes the file and is remembered.
 */
final class TaskLog implements AutoCloseable {

    /** {@code +00:00} instead of {@code Z}, which would be five characters short. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx");

    private static final int TIME_LENGTH = 25;

    /** How much of the end of a log is searched for its result, in bytes. */
    private static final int TAIL_BYTES = 8192;

    private final Clock clock;
    private @Nullable BufferedWriter writer;
    private @Nullable IOException failure;

    /** What the end of a log file tells. */
    record Result(TaskState state, long endTime) {}

    private TaskLog(Clock clock, @Nullable BufferedWriter writer) {
        this.clock = clock;
        this.writer = writer;
    }

    /** Creates the file, which must not exist. */
    static TaskLog create(Path file, Clock clock) throws IOException {
        Files.createDirectories(file.getParent());
        return new TaskLog(clock, Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW));
    }

    /** A log that goes nowhere. */
    static TaskLog none(Clock clock) {
        return new TaskLog(clock, null);
    }

    synchronized void line(String text) {
        if (writer == null) {
            return;
        }
        try {
            writer.write(timestamp() + ": " + text + "\n");
            writer.flush();
        } catch (IOException e) {
            failure = e;
            close();
        }
    }

    /** Writes the last line and closes. */
    synchronized void finish(TaskState state) {
        line("TASK " + (state instanceof TaskState.Failed failed ? "ERROR: " + failed.message() : state.text()));
        close();
    }

    /** Why the file is incomplete, if it is. */
    synchronized @Nullable IOException failure() {
        return failure;
    }

    @Override
    public synchronized void close() {
        BufferedWriter open = writer;
        writer = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
    }

    private String timestamp() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return TIME.format(now.atZone(ZoneId.systemDefault()));
    }

    /** Reads how a task ended; a log without a result tells {@code unknown} at its last time, or at {@code startTime}. */
    static Result result(Path file, long startTime) throws IOException {
        String[] lines = tail(file).stripTrailing().split("\n");
        for (int i = lines.length - 1; i >= 0; i--) {
            String line = lines[i];
            if (line.length() > TIME_LENGTH + 1 && line.startsWith(": ", TIME_LENGTH)) {
                Long time = seconds(line.substring(0, TIME_LENGTH));
                if (time != null) {
                    return new Result(state(line.substring(TIME_LENGTH + 2)), time);
                }
            }
        }
        return new Result(TaskState.UNKNOWN, startTime);
    }

    private static String tail(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long length = in.length();
            long from = Math.max(0, length - TAIL_BYTES);
            byte[] bytes = new byte[(int) (length - from)];
            in.seek(from);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static @Nullable Long seconds(String text) {
        try {
            return OffsetDateTime.parse(text).toEpochSecond();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static TaskState state(String rest) {
        if (!rest.startsWith("TASK ")) {
            return TaskState.UNKNOWN;
        }
        String text = rest.substring("TASK ".length());
        return text.startsWith("ERROR: ")
                ? new TaskState.Failed(text.substring("ERROR: ".length()))
                : TaskState.parse(text);
    }
}
