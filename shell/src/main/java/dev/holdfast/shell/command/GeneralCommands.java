package dev.holdfast.shell.command;

import dev.holdfast.shell.line.AnnotatedCommand;
import dev.holdfast.shell.line.CommandCatalog;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.HelpText;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.ScriptRunner;
import dev.holdfast.shell.line.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/** Commands about the shell itself. */
public final class GeneralCommands {

    @Command(
            name = "help",
            description = "List the commands, or explain one.",
            help = "Example:\n  holdfast help gc run")
    public CommandResult help(
            Invocation invocation,
            @Argument(index = 0, description = "Words of a command, or a noun.") @Nullable List<String> command)
            throws UsageException {
        CommandCatalog catalog = invocation.commands().catalog();
        List<String> words = command == null ? List.of() : command;
        AnnotatedCommand found = catalog.longestMatch(words).orElse(null);
        if (found != null && found.words().size() == words.size()) {
            return text(List.of(found), HelpText.of(found));
        }
        if (words.size() > 1 || words.size() == 1 && catalog.verbs(words.get(0)).isEmpty()) {
            throw new UsageException("no command '" + String.join(" ", words) + "'; 'holdfast help' lists all of them");
        }
        String noun = words.isEmpty() ? "" : words.get(0);
        return text(
                catalog.commands().stream()
                        .filter(c -> noun.isEmpty() || c.words().get(0).equals(noun))
                        .toList(),
                HelpText.overview(catalog, noun));
    }

    private static CommandResult text(List<AnnotatedCommand> commands, String text) {
        List<Map<String, Object>> json = commands.stream()
                .map(c -> Map.<String, Object>of(
                        "command", c.getName(),
                        "description", c.getDescription(),
                        "usage", c.usage(),
                        "arguments", c.argumentSpecs(),
                        "options", c.optionSpecs()))
                .toList();
        return CommandResult.ok(Map.of("commands", json), out -> out.line(text.stripTrailing()));
    }

    @Command(
            name = "version",
            description = "Show the version of Holdfast and of the Java that runs it.",
            help = "Example:\n  holdfast version")
    public CommandResult version() {
        String version = GeneralCommands.class.getPackage().getImplementationVersion();
        String shown = version == null ? "unknown" : version;
        String java = System.getProperty("java.version");
        return CommandResult.ok(
                Map.of("version", shown, "java", java), out -> out.line("holdfast " + shown + " (Java " + java + ")"));
    }

    @Command(
            name = "script",
            description = "Run the commands of a file, one per line, up to the first failure.",
            help = "Blank lines and lines that begin with # are skipped; words are quoted as in a shell."
                    + " 'script -' reads standard input.\n\nExample:\n  holdfast script nightly.hf")
    public CommandResult script(
            Invocation invocation, @Argument(index = 0, description = "The script, or -.") String file)
            throws IOException, UsageException {
        if (invocation.options().json()) {
            throw new UsageException(
                    "a script gives no JSON document of its own; put --output json behind its commands");
        }
        ScriptRunner runner = new ScriptRunner(invocation.commands());
        int code;
        if (file.equals("-")) {
            code = runner.run(
                    new BufferedReader(
                            new InputStreamReader(invocation.session().in(), StandardCharsets.UTF_8)),
                    "standard input");
        } else {
            try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
                code = runner.run(reader, file);
            }
        }
        return new CommandResult(code, Map.of(), out -> {});
    }

    @Command(
            name = "serve",
            description = "Start the server (not included in this version).",
            help = "Example:\n  holdfast serve")
    public CommandResult serve() throws IOException {
        throw new IOException("the server is not included in this version; all commands work without it");
    }
}
