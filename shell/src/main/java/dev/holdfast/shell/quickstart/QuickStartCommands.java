package dev.holdfast.shell.quickstart;

import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/** The tour as a command. */
public final class QuickStartCommands {

    @Command(
            name = "quickstart",
            description =
                    "Take the tour: back up a real image and a real tree twice, prune, collect garbage, verify, restore, compare.",
            help = "Takes about a minute, and needs about 600 MB. Prints each command, so that it can be repeated by"
                    + " hand. Everything is in DIRECTORY, which must be new or empty and stays; without it, in a"
                    + " temporary directory, which is removed at the end.\n\nExample:\n  holdfast quickstart /tmp/demo")
    public CommandResult quickstart(
            Invocation invocation,
            @Argument(index = 0, description = "Where everything goes.") @Nullable Path directory)
            throws Exception {
        if (directory == null) {
            Path temporary = Files.createTempDirectory("holdfast-quickstart-");
            try {
                return new QuickStart(invocation, temporary).run();
            } finally {
                Files.walkFileTree(temporary, new RemoveTree());
            }
        }
        Path place = directory.toAbsolutePath().normalize();
        requireEmpty(place);
        CommandResult result = new QuickStart(invocation, place).run();
        invocation.note("Everything is still in " + place + "; go on with: export HOLDFAST_CONFIG="
                + QuickStart.quoted(place.resolve(QuickStart.CONFIG).toString()));
        return result;
    }

    private static void requireEmpty(Path place) throws IOException, UsageException {
        Files.createDirectories(place);
        try (Stream<Path> entries = Files.list(place)) {
            if (entries.findAny().isPresent()) {
                throw new UsageException(place + " is not empty; choose a new directory");
            }
        }
    }
}
