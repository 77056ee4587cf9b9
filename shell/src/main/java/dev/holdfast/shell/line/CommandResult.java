package dev.holdfast.shell.line;

import dev.holdfast.shell.output.TextOutput;
import java.util.function.Consumer;

/**
 * What a command found or did, in both forms; only one of them is made.
 *
 * @param code exit code: {@link ExitCode}
 * @param json goes out as one JSON document
 * @param text writes the text form
 */
public record CommandResult(int code, Object json, Consumer<TextOutput> text) {

    public static CommandResult ok(Object json, Consumer<TextOutput> text) {
        return new CommandResult(ExitCode.OK, json, text);
    }

    /** A result whose text form is one sentence, left out under {@code --quiet}. */
    public static CommandResult done(Object json, String sentence) {
        return new CommandResult(ExitCode.OK, json, out -> out.note(sentence));
    }

    public CommandResult withCode(int other) {
        return new CommandResult(other, json, text);
    }

    /** With the exit code for warnings, if there were any. */
    public CommandResult withWarnings(long count) {
        return count > 0 ? withCode(ExitCode.WARNINGS) : this;
    }
}
