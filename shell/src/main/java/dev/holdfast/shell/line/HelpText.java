package dev.holdfast.shell.line;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Help, made of what the commands declare. */
public final class HelpText {

    private static final int WIDTH = 100;

    private HelpText() {}

    /** The help of one command. */
    public static String of(AnnotatedCommand command) {
        StringBuilder text = new StringBuilder();
        text.append(command.getDescription())
                .append("\n\nUsage: holdfast ")
                .append(command.usage())
                .append('\n');
        if (!command.argumentSpecs().isEmpty()) {
            text.append("\nArguments:\n");
            entries(
                    text,
                    command.argumentSpecs().stream()
                            .map(spec -> List.of(spec.placeholder(), spec.description()))
                            .toList());
        }
        if (!command.optionSpecs().isEmpty()) {
            text.append("\nOptions:\n");
            entries(text, options(command.optionSpecs()));
        }
        text.append("\nOptions of every command:\n");
        entries(text, options(GlobalOptions.SPECS));
        if (!command.getHelp().isBlank()) {
            text.append('\n');
            HelpTopics.fill(command.getHelp())
                    .strip()
                    .lines()
                    .flatMap(line -> line.startsWith(" ") ? Stream.of(line) : wrap(line, WIDTH).stream())
                    .forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    /** One line per command, under the noun given, or under all of them. */
    public static String overview(CommandCatalog catalog, String noun) {
        StringBuilder text = new StringBuilder();
        List<List<String>> lines = new ArrayList<>();
        for (AnnotatedCommand command : catalog.commands()) {
            if (noun.isEmpty() || command.words().get(0).equals(noun)) {
                lines.add(List.of(command.usage(), command.getDescription()));
            }
        }
        if (noun.isEmpty()) {
            text.append("Holdfast: a chunk datastore for backups.\n\nUsage: holdfast NOUN VERB [ARGS] [--options]\n");
            text.append("       holdfast                  interactive shell\n");
            text.append("       holdfast COMMAND --help   everything about one command\n\nCommands:\n");
        }
        entries(text, lines);
        text.append("\nOptions of every command:\n");
        entries(text, options(GlobalOptions.SPECS));
        text.append("\nExit codes: 0 ok, 1 error, 2 usage, 3 done with warnings, 10 not found, 11 locked or busy,\n"
                + "12 refused for safety, 13 damage found, 130 aborted.\n");
        return text.toString();
    }

    private static List<List<String>> options(List<OptionSpec> specs) {
        return specs.stream()
                .map(spec -> List.of(spec.usage(), spec.description()))
                .toList();
    }

    /** Two columns; a long first column puts the second on lines of its own. */
    private static void entries(StringBuilder text, List<List<String>> entries) {
        int column = Math.min(
                38, entries.stream().mapToInt(e -> e.get(0).length()).max().orElse(0) + 4);
        String indent = " ".repeat(column);
        for (List<String> entry : entries) {
            String first = "  " + entry.get(0);
            text.append(first);
            if (first.length() + 2 > column) {
                text.append('\n').append(indent);
            } else {
                text.append(" ".repeat(column - first.length()));
            }
            text.append(String.join("\n" + indent, wrap(entry.get(1), WIDTH - column)))
                    .append('\n');
        }
    }

    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
