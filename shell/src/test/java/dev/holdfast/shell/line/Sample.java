package dev.holdfast.shell.line;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.task.TaskAbortedException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands for tests of the grammar. */
public final class Sample {

    @Command(name = "thing list", description = "Lists things.", help = "Example:\n  holdfast thing list a")
    public CommandResult list(
            Invocation invocation,
            @Argument(index = 0, description = "Name.") String name,
            @Argument(index = 1, description = "Group.") @Nullable BackupGroup group,
            @Option(longName = "all", description = "All of them.") boolean all,
            @Option(longName = "keep-last", description = "How many.") @Nullable Integer keepLast,
            @Option(longName = "key", description = "Keys.") List<String> keys) {
        String text = Arrays.asList(name, group, all, keepLast, keys).toString();
        return CommandResult.ok(Map.of("name", name), out -> out.line(text));
    }

    @Command(name = "thing list deep", description = "Lists deep things.")
    public CommandResult deep(Invocation invocation) {
        return CommandResult.ok(Map.of(), out -> out.line("deep"));
    }

    @Command(name = "thing set", description = "Sets things.")
    public CommandResult set(
            Invocation invocation,
            @Argument(index = 0, description = "Name.") String name,
            @Argument(index = 1, description = "Values.") List<String> values) {
        return CommandResult.done(Map.of("values", values), values.toString()).withWarnings(1);
    }

    @Command(name = "fail", description = "Fails.")
    public CommandResult fail(Invocation invocation, @Argument(index = 0, description = "How.") String how)
            throws Exception {
        switch (how) {
            case "lock" -> throw new LockTimeoutException("l", "lock l\nis held");
            case "abort" -> throw new TaskAbortedException();
            default -> throw new IllegalStateException();
        }
    }
}
