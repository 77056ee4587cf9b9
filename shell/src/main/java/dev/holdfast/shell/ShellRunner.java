package dev.holdfast.shell;

import dev.holdfast.shell.line.CommandLine;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.ScriptRunner;
import dev.holdfast.shell.output.Terminals;
import dev.holdfast.shell.prompt.PromptLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;

/** Decides between one command, a script on standard input and the prompt, and keeps the exit code. */
final class ShellRunner implements ApplicationRunner, ExitCodeGenerator {

    private final CommandLine commands;
    private int exitCode;

    ShellRunner(CommandLine commands) {
        this.commands = commands;
    }

    @Override
    public void run(ApplicationArguments arguments) throws IOException {
        List<String> words = List.of(arguments.getSourceArgs());
        if (words.isEmpty() && Terminals.isTerminal(0)) {
            exitCode = new PromptLoop(commands).run();
            return;
        }
        Interrupts interrupts = new Interrupts(commands.session());
        interrupts.install();
        exitCode = words.isEmpty() ? script() : commands.run(words);
        if (interrupts.wasAsked()) {
            exitCode = ExitCode.ABORTED;
        }
    }

    private int script() throws IOException {
        BufferedReader input =
                new BufferedReader(new InputStreamReader(commands.session().in(), StandardCharsets.UTF_8));
        return new ScriptRunner(commands).run(input, "standard input");
    }

    @Override
    public int getExitCode() {
        return exitCode;
    }
}
