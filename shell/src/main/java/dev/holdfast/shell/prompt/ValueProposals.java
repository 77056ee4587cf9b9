package dev.holdfast.shell.prompt;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.engine.job.DatastoreJobs;
import dev.holdfast.engine.job.GroupItem;
import dev.holdfast.engine.job.GroupJobs;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.engine.job.SnapshotItem;
import dev.holdfast.engine.job.SnapshotQueries;
import dev.holdfast.engine.wiring.Engine;
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
     * Values for a placeholder. A store that cannot be read proposes nothing: that is no time for errors.
     *
     * @param arguments the arguments before it; the first one names the store
     * @param word what has been typed of it
     */
    List<String> of(String placeholder, List<String> arguments, String word) {
        try {
            return switch (placeholder) {
                case "NAME" -> stores();
                case "GROUP" -> arguments.isEmpty() ? List.of() : groups(arguments.get(0));
                case "SNAPSHOT" -> arguments.isEmpty() ? List.of() : snapshots(arguments.get(0));
                case "ARCHIVE" -> arguments.size() < 2 ? List.of() : files(arguments.get(0), arguments.get(1));
                case "KEY" -> tuningOptions("");
                case "KEY=VALUE" -> assignments(word);
                case "FILE", "PATH", "TARGET", "KEYFILE", "DIRECTORY" ->
                    placeholder.equals("FILE") && namesSnapshot(arguments)
                            ? files(arguments.get(0), arguments.get(1))
                            : paths(word);
                case "text|json" -> List.of("text", "json");
                case "CRYPT-MODE" -> List.of("none", "sign-only", "encrypt");
                case "MAINTENANCE-MODE" -> List.of("none", "read-only", "offline");
                default -> List.of();
            };
        } catch (IOException | IllegalArgumentException e) {
            return List.of();
        }
    }

    /** A file behind a store and a snapshot is one of the snapshot's files. */
    private static boolean namesSnapshot(List<String> arguments) {
        return arguments.size() == 2
                && arguments.get(1).chars().filter(c -> c == '/').count() == 2;
    }

    private Engine engine() {
        return new Engine(new Engine.Surroundings(null, session.environment(), session.clock(), note -> {}));
    }

    private List<String> stores() throws IOException {
        return new DatastoreJobs(engine())
                .list().stream().map(DatastoreJobs.DatastoreItem::name).toList();
    }

    private List<String> groups(String store) throws IOException {
        return new GroupJobs(engine())
                .list(store, Scope.of(null, null, null)).items().stream()
                        .map(GroupItem::group)
                        .toList();
    }

    private List<String> snapshots(String store) throws IOException {
        return new SnapshotQueries(engine())
                .list(store, Scope.of(null, null, null)).items().stream()
                        .map(SnapshotItem::snapshot)
                        .toList();
    }

    private List<String> files(String store, String snapshot) throws IOException {
        return new SnapshotQueries(engine())
                .list(store, Scope.of(null, null, null)).items().stream()
                        .filter(item -> item.snapshot().equals(snapshot))
                        .flatMap(item -> item.files().stream())
                        .map(SnapshotItem.FileItem::filename)
                        .toList();
    }

    private static List<String> tuningOptions(String suffix) {
        return DatastoreTuning.options().stream()
                .map(option -> option.name() + suffix)
                .toList();
    }

    private static List<String> assignments(String word) {
        int equals = word.indexOf('=');
        if (equals < 0) {
            return tuningOptions("=");
        }
        String key = word.substring(0, equals);
        return DatastoreTuning.option(key).map(OptionSchema::suggestions).orElse(List.of()).stream()
                .map(value -> key + "=" + value)
                .toList();
    }

    private static List<String> paths(String word) {
        int slash = word.lastIndexOf('/');
        String start = word.substring(0, slash + 1);
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(start.isEmpty() ? "." : start))) {
            for (Path entry : entries) {
                found.add(start + entry.getFileName() + (Files.isDirectory(entry) ? "/" : ""));
            }
        } catch (IOException e) {
            return List.of();
        }
        return found;
    }
}
