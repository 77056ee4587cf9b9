package dev.holdfast.shell.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The launcher: through links, with blanks in paths and arguments, two at once. */
class LauncherIT {

    @TempDir
    Path directory;

    private ShellProcess launch(String... words) throws Exception {
        Path blank = Files.createDirectories(directory.resolve("with blank"));
        Path link = blank.resolve("hold fast");
        if (!Files.exists(link)) {
            Files.createSymbolicLink(
                    link, Path.of("..", "holdfast").toAbsolutePath().normalize());
        }
        List<String> command = new ArrayList<>(List.of(link.toString()));
        command.addAll(List.of(words));
        return ShellProcess.start(directory, command);
    }

    @Test
    void twoAtOnce_bothWork() throws Exception {
        ShellProcess.configure(directory);
        try (ShellProcess one = launch("datastore", "list", "--output", "json");
                ShellProcess two = launch("config", "path")) {
            assertThat(one.await()).describedAs(one.err()).isZero();
            assertThat(two.await()).describedAs(two.err()).isZero();
            assertThat(JsonMapper.shared().readTree(one.out())).isEmpty();
            assertThat(two.out().strip())
                    .isEqualTo(directory.resolve("holdfast.yaml").toString());
        }
    }

    @Test
    void argumentsWithBlanks_stayWhole() throws Exception {
        ShellProcess.configure(directory);
        try (ShellProcess run = launch("inspect", "blob", "no such  file", "--output=json")) {
            assertThat(run.await()).isEqualTo(10);
            assertThat(run.err()).contains("no such  file");
        }
    }

    @Test
    void exitCode_isPassedOn() throws Exception {
        ShellProcess.configure(directory);
        try (ShellProcess run = launch("no-such-command")) {
            assertThat(run.await()).isEqualTo(2);
        }
        try (ShellProcess run = launch("serve")) {
            assertThat(run.await()).isEqualTo(1);
            assertThat(run.err()).contains("not included in this version");
        }
    }
}
