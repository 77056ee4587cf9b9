package dev.holdfast.shell.line;

import dev.holdfast.engine.job.Failure;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.shell.core.InputReader;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandRegistry;

/**
 * Runs one command from its words and gives its exit code. A failure is one line on standard error. Nothing is thrown.
 */
public final class CommandLine {

    private final ShellSession session;
    private final List<Class<?>> classes;
    private final Function<Class<?>, Object> instances;
    private final CommandCatalog catalog;
    private final CommandRegistry registry;
    private final Consumer<Throwable> traces;

    /**
     * @param classes classes with {@code @Command} methods, in the order of help
     * @param instances gives the object of a class when one of its commands runs
     * @param traces receives what failed, if {@code --debug} is given
     */
    public CommandLine(
            ShellSession session,
            List<Class<?>> classes,
            Function<Class<?>, Object> instances,
            Consumer<Throwable> traces) {
        this.session = session;
        this.classes = classes;
        this.instances = instances;
        this.traces = traces;
        catalog = CommandCatalog.of(classes, instances, options -> session.begin(options, this));
        registry = catalog.registry();
    }

    /** The same commands in another session. */
    public CommandLine in(ShellSession other) {
        return new CommandLine(other, classes, instances, traces);
    }

    public ShellSession session() {
        return session;
    }

    public CommandCatalog catalog() {
        return catalog;
    }

    /** Runs. @return the exit code */
    public int run(List<String> words) {
        try {
            return delivered(runOrThrow(words));
        } catch (UsageException e) {
            return fail(ExitCode.USAGE, e.getMessage());
        } catch (StackOverflowError | Exception e) {
            return failed(words, e);
        } catch (OutOfMemoryError e) {
            return fail(ExitCode.ERROR, "out of memory; give the shell more with JAVA_TOOL_OPTIONS=-Xmx2g");
        } finally {
            session.out().flush();
            session.err().flush();
        }
    }

    /** A result that did not reach its reader, for example on a full disk, is no success. */
    private int delivered(int code) {
        if ((code == ExitCode.OK || code == ExitCode.WARNINGS) && session.out().checkError()) {
            return fail(ExitCode.ERROR, "standard output cannot be written");
        }
        return code;
    }

    private int runOrThrow(List<String> words) throws Exception {
        if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            return runOrThrow(List.of("help"));
        }
        if (words.equals(List.of("--version"))) {
            return runOrThrow(List.of("version"));
        }
        WordParser.Parsed parsed = new WordParser(catalog).parse(words);
        if (parsed.wantsHelp()) {
            session.out().print(HelpText.of(parsed.command()));
            return ExitCode.OK;
        }
        CommandContext context = new CommandContext(
                parsed.input(), registry, new PrintWriter(session.out(), true), new InputReader() {});
        return parsed.command().execute(context).code();
    }

    private int failed(List<String> words, Throwable e) {
        if (words.contains("--debug")) {
            traces.accept(e);
        }
        Failure failure = Failure.of(e);
        String hint =
                failure.isInternal() && !words.contains("--debug") ? "; --debug keeps the stack trace in a file" : "";
        String partial = failure.kind() == Failure.Kind.ABORTED ? session.partialFigures() : "";
        return fail(ExitCode.of(failure.kind()), failure.message() + hint + (partial.isEmpty() ? "" : "; " + partial));
    }

    private int fail(int code, String message) {
        session.err().println("holdfast: " + message);
        return code;
    }
}
