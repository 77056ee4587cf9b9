package dev.holdfast.shell.prompt;

import dev.holdfast.shell.line.AnnotatedCommand;
import dev.holdfast.shell.line.ArgumentSpec;
import dev.holdfast.shell.line.CommandCatalog;
import dev.holdfast.shell.line.CommandLine;
import dev.holdfast.shell.line.GlobalOptions;
import dev.holdfast.shell.line.OptionSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes words of commands, options, and what arguments name: stores, groups, snapshots, tuning options, files. */
final class ShellCompleter implements Completer {

    private final CommandLine commands;
    private final ValueProposals proposals;

    ShellCompleter(CommandLine commands) {
        this.commands = commands;
        proposals = new ValueProposals(commands.session());
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        List<String> before = line.words().subList(0, line.wordIndex());
        propose(before, line.word()).forEach(value -> candidates.add(candidate(value)));
    }

    private static Candidate candidate(String value) {
        boolean open = value.endsWith("/") || value.endsWith("=");
        return new Candidate(value, value, null, null, null, null, !open);
    }

    /** What may stand after these words; the word that is being written may be partly there. */
    List<String> propose(List<String> before, String word) {
        CommandCatalog catalog = commands.catalog();
        Optional<AnnotatedCommand> found = catalog.longestMatch(before);
        Set<String> values = new LinkedHashSet<>();
        if (found.isEmpty()) {
            values.addAll(
                    before.isEmpty() ? catalog.nouns() : before.size() == 1 ? catalog.verbs(before.get(0)) : List.of());
            return List.copyOf(values);
        }
        AnnotatedCommand command = found.get();
        List<OptionSpec> options = new ArrayList<>(command.optionSpecs());
        options.addAll(GlobalOptions.SPECS);
        List<String> arguments = arguments(before.subList(command.words().size(), before.size()), options);
        Optional<OptionSpec> pending = pendingOption(before, options);
        if (pending.isPresent()) {
            return proposals.of(pending.get().valueName(), arguments, word);
        }
        if (word.startsWith("-")) {
            options.forEach(option -> values.add("--" + option.name()));
            return List.copyOf(values);
        }
        List<ArgumentSpec> specs = command.argumentSpecs();
        if (!specs.isEmpty()) {
            ArgumentSpec spec = specs.get(Math.min(arguments.size(), specs.size() - 1));
            if (arguments.size() < specs.size() || spec.repeatable()) {
                return proposals.of(spec.placeholder(), arguments, word);
            }
        }
        options.forEach(option -> values.add("--" + option.name()));
        return List.copyOf(values);
    }

    /** The option before the cursor that still waits for its value. */
    private static Optional<OptionSpec> pendingOption(List<String> before, List<OptionSpec> options) {
        String last = before.get(before.size() - 1);
        return options.stream()
                .filter(option -> !option.isFlag() && last.equals("--" + option.name()))
                .findFirst();
    }

    private static List<String> arguments(List<String> words, List<OptionSpec> options) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("--")) {
                arguments.add(word);
            } else if (pendingOption(words.subList(0, i + 1), options).isPresent()) {
                i++;
            }
        }
        return arguments;
    }
}
