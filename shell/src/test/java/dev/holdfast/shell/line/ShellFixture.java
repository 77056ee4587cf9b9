package dev.holdfast.shell.line;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** A shell whose streams are kept in memory. */
public final class ShellFixture {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CommandLine commands;

    public ShellFixture(List<Class<?>> classes, Map<String, String> environment) {
        ShellSession session = new ShellSession(
                new ShellSession.Streams(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                new ShellSession.Surroundings(environment, Clock.systemUTC(), System::nanoTime));
        commands = new CommandLine(session, classes, ShellFixture::instance, e -> {});
    }

    private static Object instance(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public CommandLine commands() {
        return commands;
    }

    /** Runs a command; its output replaces that of the one before. @return the exit code */
    public int run(String... words) {
        out.reset();
        err.reset();
        return commands.run(List.of(words));
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
