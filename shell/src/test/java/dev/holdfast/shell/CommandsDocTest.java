package dev.holdfast.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.shell.line.AnnotatedCommand;
import dev.holdfast.shell.line.GlobalOptions;
import dev.holdfast.shell.line.ShellFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Keeps {@code docs/commands.md} in step with the commands. */
class CommandsDocTest {

    private final List<AnnotatedCommand> commands =
            new ShellFixture(Commands.CLASSES, Map.of()).commands().catalog().commands();
    private String doc = "";

    @BeforeEach
    void read() throws IOException {
        doc = Files.readString(Path.of("..", "docs", "commands.md"));
    }

    /** What stands between the heading of a command and the next heading. */
    private String section(AnnotatedCommand command) {
        String heading = "### `" + command.getName() + "`\n";
        assertThat(doc).contains(heading);
        String rest = doc.substring(doc.indexOf(heading) + heading.length());
        int end = rest.indexOf("\n##");
        return end < 0 ? rest : rest.substring(0, end);
    }

    @Test
    void everyCommand_hasItsSectionAndNoOther() {
        List<String> headings = doc.lines()
                .filter(line -> line.startsWith("### `"))
                .map(line -> line.substring(5, line.length() - 1))
                .toList();

        assertThat(headings)
                .containsExactlyElementsOf(
                        commands.stream().map(AnnotatedCommand::getName).toList());
    }

    @Test
    void everySection_saysWhatTheHelpSays() {
        for (AnnotatedCommand command : commands) {
            String section = section(command);
            assertThat(section)
                    .contains(command.getDescription())
                    .contains("    holdfast " + command.usage() + "\n")
                    .contains("Example: `holdfast " + command.getName());
            command.optionSpecs()
                    .forEach(option ->
                            assertThat(section).contains("* `" + option.usage() + "`: " + option.description() + "\n"));
        }
        GlobalOptions.SPECS.forEach(option -> assertThat(doc).contains("--" + option.name()));
    }

    @Test
    void everyJsonExample_isADocument() {
        List<String> examples = new ArrayList<>();
        String rest = doc;
        for (int at = rest.indexOf("```json\n"); at >= 0; at = rest.indexOf("```json\n")) {
            rest = rest.substring(at + 8);
            examples.add(rest.substring(0, rest.indexOf("```")));
        }

        assertThat(examples).hasSizeGreaterThan(35);
        examples.forEach(example ->
                assertThat(JsonMapper.shared().readTree(example).isContainer()).isTrue());
    }
}
