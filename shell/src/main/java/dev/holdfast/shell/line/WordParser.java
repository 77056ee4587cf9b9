package dev.holdfast.shell.line;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandOption;
import org.springframework.shell.core.command.ParsedInput;

/**
 * The grammar: {@code NOUN VERB [ARGS] [--options]}. Works on words, never on a line that would have to be split again.
 *
 * <ul>
 *   <li>The command is the longest registered name that the words begin with; global options may stand before it.
 *   <li>{@code --opt=value} and {@code --opt value} mean the same; a flag takes no value, or {@code =true}, {@code =false}.
 *   <li>A word that begins with {@code --} is never taken for the value of the option before it.
 *   <li>{@code --} ends options; {@code -} alone is an argument.
 * </ul>
 */
final class WordParser {

    private final CommandCatalog catalog;

    WordParser(CommandCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * What was found in the words.
     *
     * @param command the command
     * @param input its options (flags with the value {@code true} or {@code false}) and arguments
     */
    record Parsed(AnnotatedCommand command, ParsedInput input) {

        boolean wantsHelp() {
            return input.options().stream()
                    .anyMatch(option ->
                            option.longName().equals("help") && option.value().equals("true"));
        }
    }

    Parsed parse(List<String> words) throws UsageException {
        List<CommandOption> options = new ArrayList<>();
        int start = leadingOptions(words, options);
        List<String> rest = words.subList(start, words.size());
        AnnotatedCommand command = catalog.longestMatch(rest).orElse(null);
        if (command == null) {
            throw unknown(rest);
        }
        List<String> arguments = new ArrayList<>();
        int i = command.words().size();
        while (i < rest.size()) {
            String word = rest.get(i);
            if (word.equals("--")) {
                arguments.addAll(rest.subList(i + 1, rest.size()));
                break;
            }
            if (word.length() > 1 && word.startsWith("-")) {
                i = option(command, rest, i, options);
            } else {
                arguments.add(word);
                i++;
            }
        }
        Parsed parsed = new Parsed(command, input(command, options, arguments));
        if (!parsed.wantsHelp()) {
            checkCount(command, arguments);
        }
        return parsed;
    }

    private static ParsedInput input(AnnotatedCommand command, List<CommandOption> options, List<String> arguments) {
        List<CommandArgument> numbered = new ArrayList<>();
        for (String argument : arguments) {
            numbered.add(new CommandArgument(numbered.size(), argument));
        }
        List<String> words = command.words();
        return new ParsedInput(words.get(0), words.subList(1, words.size()), options, numbered);
    }

    private int leadingOptions(List<String> words, List<CommandOption> options) throws UsageException {
        int i = 0;
        while (i < words.size() && words.get(i).startsWith("--") && words.get(i).length() > 2) {
            i = option(null, words, i, options);
        }
        return i;
    }

    /** Takes the option at {@code i}, and its value. @return the position after them */
    private int option(@Nullable AnnotatedCommand command, List<String> words, int i, List<CommandOption> options)
            throws UsageException {
        String word = words.get(i);
        int equals = word.indexOf('=');
        String name = word.equals("-h") ? "help" : withoutValue(word).replaceFirst("^--?", "");
        OptionSpec spec = spec(command, word, name);
        String value;
        int next = i + 1;
        if (equals >= 0 && !word.equals("-h")) {
            value = word.substring(equals + 1);
        } else if (spec.isFlag()) {
            value = "true";
        } else if (next < words.size() && !words.get(next).startsWith("--")) {
            value = words.get(next++);
        } else {
            throw new UsageException("--" + name + " needs a value: " + spec.usage());
        }
        if (spec.isFlag() && !value.equals("true") && !value.equals("false")) {
            throw new UsageException("--" + name + " is a flag and takes no value, not '" + value + "'");
        }
        boolean repeated = options.stream().anyMatch(other -> other.longName().equals(name));
        if (repeated && spec.kind() != OptionSpec.Kind.REPEATABLE_VALUE) {
            throw new UsageException("--" + name + " is given twice");
        }
        options.add(CommandOption.with().longName(name).value(value).build());
        return next;
    }

    private OptionSpec spec(@Nullable AnnotatedCommand command, String word, String name) throws UsageException {
        List<OptionSpec> known = new ArrayList<>(GlobalOptions.SPECS);
        if (command != null) {
            known.addAll(command.optionSpecs());
        }
        if (word.startsWith("--") || word.equals("-h")) {
            for (OptionSpec spec : known) {
                if (spec.name().equals(name)) {
                    return spec;
                }
            }
        }
        String where = command == null ? "before a command" : "for '" + command.getName() + "'";
        String hint = Similar.nearest(name, known.stream().map(OptionSpec::name).toList())
                .map(near -> "did you mean --" + near + "?")
                .orElse("try 'holdfast help" + (command == null ? "" : " " + command.getName()) + "'");
        throw new UsageException("unknown option " + withoutValue(word) + " " + where + "; " + hint);
    }

    private static String withoutValue(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    private static void checkCount(AnnotatedCommand command, List<String> arguments) throws UsageException {
        List<ArgumentSpec> specs = command.argumentSpecs();
        for (int i = arguments.size(); i < specs.size(); i++) {
            if (specs.get(i).required()) {
                throw new UsageException(
                        "missing " + specs.get(i).placeholder() + "; usage: holdfast " + command.usage());
            }
        }
        boolean open = !specs.isEmpty() && specs.get(specs.size() - 1).repeatable();
        if (arguments.size() > specs.size() && !open) {
            throw new UsageException(
                    "unexpected argument '" + arguments.get(specs.size()) + "'; usage: holdfast " + command.usage());
        }
    }

    private UsageException unknown(List<String> rest) {
        if (rest.isEmpty()) {
            return new UsageException("no command given; try 'holdfast help'");
        }
        List<String> verbs = catalog.verbs(rest.get(0));
        if (!verbs.isEmpty()) {
            String given = rest.size() > 1 && !rest.get(1).startsWith("-") ? rest.get(1) : "";
            String start = given.isEmpty()
                    ? "'" + rest.get(0) + "' needs a verb"
                    : "unknown command '" + rest.get(0) + " " + given + "'";
            String near = Similar.nearest(given, verbs)
                    .map(verb -> "; did you mean '" + rest.get(0) + " " + verb + "'?")
                    .orElse("; verbs: " + String.join(", ", verbs));
            return new UsageException(start + near);
        }
        String near = Similar.nearest(rest.get(0), catalog.nouns())
                .map(noun -> "did you mean '" + noun + "'? ")
                .orElse("");
        return new UsageException("unknown command '" + rest.get(0) + "'; " + near + "try 'holdfast help'");
    }
}
