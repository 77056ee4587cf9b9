package dev.holdfast.shell.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.shell.command.BackupCommands;
import dev.holdfast.shell.command.GcCommands;
import dev.holdfast.shell.command.SnapshotCommands;
import dev.holdfast.shell.command.TuningCommands;
import dev.holdfast.shell.line.ShellFixture;
import dev.holdfast.testkit.MiniDatastore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellCompleterTest {

    @TempDir
    Path directory;

    private ShellCompleter completer;

    @BeforeEach
    void prepare() throws IOException {
        Path mini = MiniDatastore.unpack(directory);
        Path config = directory.resolve("holdfast.yaml");
        Files.writeString(
                config,
                "lock-directory: " + directory.resolve("locks") + "\ndatastores:\n  mini: {path: " + mini
                        + "}\n  gone: {path: /nowhere/else}\n");
        ShellFixture shell = new ShellFixture(
                List.of(SnapshotCommands.class, GcCommands.class, TuningCommands.class, BackupCommands.class),
                Map.of("HOLDFAST_CONFIG", config.toString()));
        completer = new ShellCompleter(shell.commands());
    }

    /** The last word is the one that is being typed. */
    private List<String> propose(String... words) {
        List<String> before = new ArrayList<>(List.of(words));
        String word = before.remove(before.size() - 1);
        return completer.propose(before, word);
    }

    @Test
    void firstWords_areNounsAndVerbs() {
        assertThat(propose("")).containsExactly("snapshot", "gc", "tuning", "backup", "restore");
        assertThat(propose("gc", "")).containsExactly("run", "status");
        assertThat(propose("nonsense", "")).isEmpty();
    }

    @Test
    void argumentsAndOptions_areProposedByWhatTheyName() {
        assertThat(propose("gc", "run", "")).containsExactly("mini", "gone");
        assertThat(propose("gc", "run", "mini", "")).contains("--dry-run", "--output");
        assertThat(propose("gc", "run", "mini", "--output", "")).containsExactly("text", "json");
        assertThat(propose("snapshot", "show", "mini", "")).contains("host/mini/2024-01-02T03:04:05Z");
        assertThat(propose("snapshot", "list", "mini", "--group", "")).contains("host/mini", "vm/100");
        assertThat(propose("restore", "image", "mini", "host/mini/2024-01-02T03:04:05Z", ""))
                .contains("disk.img.fidx");
        assertThat(propose("snapshot", "show", "gone", "")).isEmpty();
    }

    @Test
    void tuningOptions_areProposedWithTheirValues() {
        assertThat(propose("tuning", "set", "mini", "")).contains("gc-prefetch-batch-size=");
        assertThat(propose("tuning", "set", "mini", "chunk-order=")).contains("chunk-order=inode", "chunk-order=none");
        assertThat(propose("tuning", "unset", "mini", "")).contains("gc-prefetch-batch-size");
    }

    @Test
    void files_areProposedByPath() {
        assertThat(propose("backup", "image", "mini", "vm/1", directory + "/"))
                .contains(directory + "/holdfast.yaml", directory + "/mini/");
    }
}
