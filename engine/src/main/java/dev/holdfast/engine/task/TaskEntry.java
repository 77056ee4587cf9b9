package dev.holdfast.engine.task;

import dev.holdfast.api.model.Upid;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of a task index.
 *
 * @param upid id of the task
 * @param endTime Unix seconds; 0 while it runs
 * @param state how it ended; null while it runs
 */
public record TaskEntry(Upid upid, long endTime, @Nullable TaskState state) {

    static TaskEntry running(Upid upid) {
        return new TaskEntry(upid, 0, null);
    }

    boolean isRunning() {
        return state == null;
    }

    /** Reads a line; empty if it does not parse. */
    static Optional<TaskEntry> parse(String line) {
        String[] parts = line.split(" ", 3);
        try {
            Upid upid = Upid.parse(parts[0]);
            if (parts.length == 1) {
                return Optional.of(running(upid));
            }
            if (parts.length == 3) {
                return Optional.of(new TaskEntry(upid, Long.parseLong(parts[1], 16), TaskState.parse(parts[2])));
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** The line without its end. Line breaks inside an error become blanks, or the index could not be read again. */
    String line() {
        return state == null
                ? upid.toString()
                : String.format(
                        Locale.ROOT, "%s %08X %s", upid, endTime, state.text().replaceAll("[\\r\\n]+", " "));
    }
}
