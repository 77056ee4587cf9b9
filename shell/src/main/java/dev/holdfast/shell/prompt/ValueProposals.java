package dev.holdfast.shell.prompt;

import dev.holdfast.shell.line.ShellSession;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Knows what an argument or an option's value may be, by its name in the usage line. */
final class ValueProposals {

    private final ShellSession session;

    ValueProposals(ShellSession session) {
        this.session = session;
    }

    /**
     * Values for a placeholder.
     *
     * @param arguments the arguments before it; the first one names the store
     */
    List<String> of(String placeholder, List<String> arguments, String word) {
        return switch (placeholder) {
            case "FILE", "PATH", "TARGET", "KEYFILE", "DIR" -> files(word);
            case "text|json" -> List.of("text", "json");
            case "CRYPT-MODE" -> List.of("none", "sign-only", "encrypt");
            default -> List.of();
        };
    }

    private static List<String> files(String word) {
        int slash = word.lastIndexOf('/');
        String start = word.substring(0, slash + 1);
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(start.isEmpty() ? "." : start))) {
            for (Path entry : entries) {
                found.add(start + entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""));
            }
        } catch (IOException e) {
            // Nothing to propose is the right answer while somebody types.
            return List.of();
        }
        return found;
    }
}
