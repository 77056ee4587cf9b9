package dev.holdfast.shell.command;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.engine.job.DatastoreJobs;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/** Commands about tuning options. */
public final class TuningCommands {

    @Command(
            name = "tuning show",
            description = "Show the tuning options of a datastore, set or not.",
            help = "{tuning}\n\nExample:\n  holdfast tuning show store1")
    public CommandResult show(Invocation invocation, @Argument(index = 0, description = Words.STORE) String name)
            throws Exception {
        return result(name, new DatastoreJobs(invocation.engine()).get(name).tuning());
    }

    @Command(
            name = "tuning set",
            description = "Set tuning options of a datastore.",
            help = "{tuning}\n\nExample:\n  holdfast tuning set store1 gc-prefetch-batch-size=1048576")
    public CommandResult set(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = "An option and its value.") List<String> key_value)
            throws Exception {
        Map<String, String> values = Words.assignments(key_value);
        DatastoreJobs jobs = new DatastoreJobs(invocation.engine());
        return result(name, jobs.tune(name, values, List.of()).tuning());
    }

    @Command(
            name = "tuning unset",
            description = "Put tuning options of a datastore back to their defaults.",
            help = "{tuning}\n\nExample:\n  holdfast tuning unset store1 gc-prefetch-batch-size")
    public CommandResult unset(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = "An option.") List<String> key)
            throws Exception {
        DatastoreJobs jobs = new DatastoreJobs(invocation.engine());
        Map<String, Object> known = jobs.get(name).tuning();
        for (String option : key) {
            if (DatastoreTuning.option(option).isEmpty() && !known.containsKey(option)) {
                throw new UsageException("there is no tuning option '" + option + "'; 'tuning show' lists them");
            }
        }
        return result(name, jobs.tune(name, Map.of(), key).tuning());
    }

    private static CommandResult result(String store, Map<String, Object> set) {
        List<Map<String, @Nullable Object>> options = new ArrayList<>();
        TextTable table = new TextTable("option", "value", "default", "must be");
        for (OptionSchema schema : DatastoreTuning.options()) {
            Object value = set.get(schema.name());
            Map<String, @Nullable Object> option = new LinkedHashMap<>();
            option.put("name", schema.name());
            option.put("value", value);
            option.put("default", schema.defaultText().orElse(null));
            option.put("unit", schema.unit().isEmpty() ? null : schema.unit());
            option.put("bounds", schema.bounds());
            options.add(option);
            table.row(
                    schema.name(),
                    value == null ? "(unset)" : value.toString(),
                    schema.defaultText().orElse("(unset)"),
                    schema.bounds());
        }
        set.forEach((key, value) -> {
            if (DatastoreTuning.option(key).isEmpty()) {
                table.row(key, value, "-", "(not known to this version)");
            }
        });
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("datastore", store);
        json.put("tuning", set);
        json.put("options", options);
        return CommandResult.ok(json, out -> out.table(table, ""));
    }
}
