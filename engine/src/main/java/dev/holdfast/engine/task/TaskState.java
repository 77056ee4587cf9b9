package dev.holdfast.engine.task;

/** How a task ended, in the words that task logs and indexes use. */
public sealed interface TaskState {

    TaskState OK = new Ok();
    TaskState UNKNOWN = new Unknown();

    /** The text in an index line and, behind {@code TASK }, in the log. */
    String text();

    /** Done, without a warning. */
    record Ok() implements TaskState {
        @Override
        public String text() {
            return "OK";
        }
    }

    /**
     * Done, with warnings.
     *
     * @param count number of warning lines in the log
     */
    record Warnings(long count) implements TaskState {
        @Override
        public String text() {
            return "WARNINGS: " + count;
        }
    }

    /** Failed, also when told to stop. */
    record Failed(String message) implements TaskState {
        @Override
        public String text() {
            return message;
        }
    }

    /** The process vanished without writing a result. */
    record Unknown() implements TaskState {
        @Override
        public String text() {
            return "unknown";
        }
    }

    /** Reads what stands in an index line. */
    static TaskState parse(String text) {
        if (text.equals("OK")) {
            return OK;
        }
        if (text.equals("unknown")) {
            return UNKNOWN;
        }
        if (text.startsWith("WARNINGS: ")) {
            try {
                return new Warnings(Long.parseLong(text.substring("WARNINGS: ".length())));
            } catch (NumberFormatException e) {
                return new Failed(text);
            }
        }
        return new Failed(text);
    }
}
