package dev.holdfast.shell.prompt;

import dev.holdfast.engine.wiring.StateDirectory;
import dev.holdfast.shell.line.CommandLine;
import dev.holdfast.shell.line.ScriptRunner;
import dev.holdfast.shell.line.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Reads commands from a terminal until {@code exit} or end of input. Ctrl-C at the prompt clears the line; during a command
 * it stops the command and not the shell.
 */
public final class PromptLoop {

    private static final String PROMPT = "holdfast> ";

    private final CommandLine commands;

    public PromptLoop(CommandLine commands) {
        this.commands = commands;
    }

    /** Runs the loop. @return the exit code: that of the last command */
    public int run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder()
                .system(true)
                .nativeSignals(true)
                .signalHandler(Terminal.SignalHandler.SIG_IGN)
                .build()) {
            LineReader reader = reader(terminal);
            terminal.writer().println("Holdfast. 'help' lists the commands, 'exit' or Ctrl-D ends the shell.");
            int code = 0;
            while (true) {
                List<String> words;
                try {
                    words = ScriptRunner.words(reader.readLine(PROMPT));
                } catch (UserInterruptException e) {
                    continue;
                } catch (EndOfFileException e) {
                    return code;
                } catch (UsageException e) {
                    commands.session().err().println("holdfast: " + e.getMessage());
                    continue;
                }
                if (words.isEmpty()) {
                    continue;
                }
                if (words.equals(List.of("exit")) || words.equals(List.of("quit"))) {
                    return code;
                }
                code = interruptibly(terminal, words);
            }
        }
    }

    private int interruptibly(Terminal terminal, List<String> words) {
        Terminal.SignalHandler before = terminal.handle(
                Terminal.Signal.INT, signal -> commands.session().abort());
        try {
            return commands.run(words);
        } finally {
            terminal.handle(Terminal.Signal.INT, before);
        }
    }

    private LineReader reader(Terminal terminal) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("holdfast")
                .parser(ScriptRunner.parser())
                .completer(new ShellCompleter(commands))
                .history(new DefaultHistory());
        Path history = StateDirectory.ofUser(commands.session().environment()).resolve("history");
        try {
            Files.createDirectories(history.getParent());
            builder.variable(LineReader.HISTORY_FILE, history);
        } catch (IOException e) {
            commands.session().err().println("warning: the history is not kept: " + history + " cannot be written");
        }
        return builder.build();
    }
}
