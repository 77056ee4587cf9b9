package dev.holdfast.api.status;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a task stands, in the words that Proxmox Backup Server uses for its exit status. */
public sealed interface TaskStatus {

    /** The text of {@link Warnings}; the number of digits keeps it inside a long. */
    Pattern WARNINGS = Pattern.compile("WARNINGS: ([0-9]{1,18})");

    /** Has no exit status yet. */
    TaskStatus RUNNING = new Running();

    TaskStatus OK = new Ok();
    TaskStatus UNKNOWN = new Unknown();

    /** What stands in {@code exitstatus}; empty while the task runs. */
    String text();

    /** The word by which task lists are filtered: {@code running}, {@code ok}, {@code warning}, {@code error}, {@code unknown}. */
    String filterName();

    /** Reads an exit status: empty is running, and what is no other state is the message of an error. */
    static TaskStatus parse(String text) {
        Matcher warnings = WARNINGS.matcher(text);
        if (warnings.matches()) {
            return new Warnings(Long.parseLong(warnings.group(1)));
        }
        return switch (text) {
            case "" -> RUNNING;
            case "OK" -> OK;
            case "unknown" -> UNKNOWN;
            default -> new Failed(text);
        };
    }

    /** Whether the task has done what it was asked to, be it with warnings. */
    default boolean isSuccess() {
        return this instanceof Ok || this instanceof Warnings;
    }

    /** Not ended. */
    record Running() implements TaskStatus {
        @Override
        public String text() {
            return "";
        }

        @Override
        public String filterName() {
            return "running";
        }
    }

    /** Done, without a warning. */
    record Ok() implements TaskStatus {
        @Override
        public String text() {
            return "OK";
        }

        @Override
        public String filterName() {
            return "ok";
        }
    }

    /**
     * Done, with warnings.
     *
     * @param count number of warning lines in the log, 0 or more
     */
    record Warnings(long count) implements TaskStatus {
        public Warnings {
            if (count < 0) {
                throw new IllegalArgumentException("a number of warnings must be 0 or more, not " + count);
            }
        }

        @Override
        public String text() {
            return "WARNINGS: " + count;
        }

        @Override
        public String filterName() {
            return "warning";
        }
    }

    /**
     * Failed, also when told to stop.
     *
     * @param message what went wrong; not empty
     */
    record Failed(String message) implements TaskStatus {
        public Failed {
            if (message.isEmpty()) {
                throw new IllegalArgumentException("a failed task needs a message");
            }
        }

        @Override
        public String text() {
            return message;
        }

        @Override
        public String filterName() {
            return "error";
        }
    }

    /** The process vanished without writing a result. */
    record Unknown() implements TaskStatus {
        @Override
        public String text() {
            return "unknown";
        }

        @Override
        public String filterName() {
            return "unknown";
        }
    }
}
