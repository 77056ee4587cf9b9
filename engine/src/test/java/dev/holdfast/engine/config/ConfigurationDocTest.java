package dev.holdfast.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.posix.JnrPosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The page on the configuration says what the schemas say, word for word. */
class ConfigurationDocTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("## Top level", ConfigReader.topOptions()),
                Arguments.of("## A datastore", DatastoreConfig.options()),
                Arguments.of("## `backend`", BackendConfig.options()),
                Arguments.of("## `tuning`", DatastoreTuning.options()),
                Arguments.of("## `keep`", KeepOptions.options()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void table_equalsTheRegistry(String heading, List<OptionSchema> options) throws IOException {
        List<String> section = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(section)
                .containsExactlyElementsOf(
                        options.stream().map(ConfigurationDocTest::row).toList());
    }

    private static String row(OptionSchema option) {
        return String.join(
                " | ",
                "| `" + option.name() + "`",
                option.bounds(),
                option.defaultText().orElse("unset"),
                option.unit().isEmpty() ? "–" : option.unit(),
                option.reason() + " |");
    }

    @Test
    void example_isFreeOfProblemsAndUnknownKeys(@TempDir Path directory) throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf("```yaml\n") + "```yaml\n".length();
        Path file = Files.writeString(directory.resolve("h.yaml"), page.substring(from, page.indexOf("```", from)));

        ConfigFile config = ConfigFile.read(JnrPosixFiles.load(), file);

        assertThat(config.check()).isEmpty();
        assertThat(config.unknownKeys()).isEmpty();
        assertThat(config.config().datastores()).isNotEmpty();
    }
}
