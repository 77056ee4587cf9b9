package dev.holdfast.shell.line;

import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.shell.output.JsonOutput;
import dev.holdfast.shell.output.Terminals;
import dev.holdfast.shell.output.TextOutput;
import dev.holdfast.shell.output.TextOutput.Colours;
import dev.holdfast.shell.output.TextOutput.Notes;
import dev.holdfast.shell.progress.ProgressView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of one command: its global options, its engine, its progress. The engine is opened when it is first needed. */
public final class Invocation implements AutoCloseable {

    private final ShellSession session;
    private final GlobalOptions options;
    private final CommandLine commands;
    private final ProgressView progress;
    private volatile @Nullable Engine engine;

    Invocation(ShellSession session, GlobalOptions options, CommandLine commands) {
        this.session = session;
        this.options = options;
        this.commands = commands;
        ProgressView.Form form = options.chatter() != GlobalOptions.Chatter.NORMAL
                ? ProgressView.Form.NONE
                : session.errIsTerminal() ? ProgressView.Form.BAR : ProgressView.Form.LINES;
        progress = new ProgressView(session.err(), form, Terminals.width(session.environment()), session.nanos());
    }

    public ShellSession session() {
        return session;
    }

    /** All commands, for those that run or describe others. */
    public CommandLine commands() {
        return commands;
    }

    public GlobalOptions options() {
        return options;
    }

    /** The engine on the configuration that the command names. */
    public synchronized Engine engine() {
        if (engine == null) {
            engine = new Engine(
                    new Engine.Surroundings(options.config(), session.environment(), session.clock(), this::warn));
        }
        return engine;
    }

    /** Shows what a task reports. */
    public TaskListener listener() {
        return progress;
    }

    /** A sentence about what goes on, on standard error; left out under {@code --quiet}. */
    public void note(String text) {
        if (options.chatter() != GlobalOptions.Chatter.QUIET) {
            session.err().println(text);
        }
    }

    /** A warning, on standard error. */
    public void warn(String text) {
        session.err().println("warning: " + text);
    }

    void print(CommandResult result) {
        progress.close();
        session.printed(result);
        if (options.json()) {
            JsonOutput.write(result.json(), session.out());
        } else {
            result.text()
                    .accept(new TextOutput(
                            session.out(),
                            new TextOutput.Style(
                                    session.outIsTerminal() ? Colours.ON : Colours.OFF,
                                    options.chatter() == GlobalOptions.Chatter.QUIET ? Notes.OFF : Notes.ON)));
        }
        session.out().flush();
    }

    int abort() {
        Engine open = engine;
        return open == null ? 0 : open.abort();
    }

    Optional<String> partialFigures() {
        return progress.partialFigures();
    }

    @Override
    public void close() {
        progress.close();
        session.ended(this);
    }
}
