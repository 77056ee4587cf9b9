package dev.holdfast.shell.command;

import dev.holdfast.engine.config.ConfigFile;
import dev.holdfast.engine.job.DatastoreJobs;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.shell.core.command.annotation.Command;

/** Commands about the configuration file. */
public final class ConfigCommands {

    @Command(
            name = "config show",
            description = "Show the configuration file.",
            help = "Example:\n  holdfast config show")
    public CommandResult show(Invocation invocation) throws Exception {
        ConfigFile file = invocation.engine().configFile();
        Map<String, Object> json = place(file);
        json.put("datastores", new DatastoreJobs(invocation.engine()).list());
        return CommandResult.ok(json, out -> {
            if (file.exists()) {
                out.line(file.text().stripTrailing());
            } else {
                out.note("There is no configuration yet; it would be " + file.path() + ".");
            }
        });
    }

    @Command(
            name = "config check",
            description = "Check the configuration file.",
            help = "Exit code 1 if something is wrong with it.\n\nExample:\n  holdfast config check")
    public CommandResult check(Invocation invocation) throws Exception {
        ConfigFile file = invocation.engine().configFile();
        List<String> problems = file.check();
        Map<String, Object> json = place(file);
        json.put("problems", problems);
        return new CommandResult(problems.isEmpty() ? ExitCode.OK : ExitCode.ERROR, json, out -> {
            problems.forEach(problem -> out.line(file.path() + ": " + problem));
            if (problems.isEmpty()) {
                out.note(file.path() + (file.exists() ? " is fine." : " does not exist; that is fine."));
            }
        });
    }

    @Command(
            name = "config path",
            description = "Show where the configuration file is, or would be.",
            help = "Example:\n  holdfast config path")
    public CommandResult path(Invocation invocation) throws Exception {
        ConfigFile file = invocation.engine().configFile();
        return CommandResult.ok(place(file), out -> out.line(file.path().toString()));
    }

    private static Map<String, Object> place(ConfigFile file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", file.path());
        json.put("exists", file.exists());
        return json;
    }
}
