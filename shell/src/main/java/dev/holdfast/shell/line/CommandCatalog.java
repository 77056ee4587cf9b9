package dev.holdfast.shell.line;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.springframework.shell.core.command.CommandRegistry;
import org.springframework.shell.core.command.annotation.Command;

/**
 * All commands. Built from an explicit list of classes: looking for annotated classes on the class path, as Spring Shell
 * does, costs more time than most commands take.
 */
public final class CommandCatalog {

    private final List<AnnotatedCommand> commands;

    private CommandCatalog(List<AnnotatedCommand> commands) {
        this.commands = commands;
    }

    /**
     * Reads the {@code @Command} methods of the given classes.
     *
     * @param instances gives the object to call, when a command runs
     * @param invocations gives a running command what it needs
     */
    public static CommandCatalog of(
            List<Class<?>> classes,
            Function<Class<?>, Object> instances,
            Function<GlobalOptions, Invocation> invocations) {
        List<AnnotatedCommand> found = new ArrayList<>();
        for (Class<?> type : classes) {
            List<AnnotatedCommand> ofType = new ArrayList<>();
            for (Method method : type.getDeclaredMethods()) {
                Command annotation = method.getAnnotation(Command.class);
                if (annotation != null) {
                    ofType.add(new AnnotatedCommand(annotation, method, () -> instances.apply(type), invocations));
                }
            }
            // The JVM gives methods in no particular order.
            ofType.sort(Comparator.comparing(AnnotatedCommand::getName));
            found.addAll(ofType);
        }
        return new CommandCatalog(List.copyOf(found));
    }

    /** In the order of help: by class as given, then by name. */
    public List<AnnotatedCommand> commands() {
        return commands;
    }

    /** A registry of Spring Shell with the same commands. */
    public CommandRegistry registry() {
        return new CommandRegistry(new LinkedHashSet<>(commands));
    }

    /** The command with the longest name that the words begin with. */
    public Optional<AnnotatedCommand> longestMatch(List<String> words) {
        AnnotatedCommand best = null;
        for (AnnotatedCommand command : commands) {
            List<String> name = command.words();
            if (words.size() >= name.size()
                    && words.subList(0, name.size()).equals(name)
                    && (best == null || name.size() > best.words().size())) {
                best = command;
            }
        }
        return Optional.ofNullable(best);
    }

    /** First words of all commands. */
    public List<String> nouns() {
        Set<String> nouns = new LinkedHashSet<>();
        commands.forEach(command -> nouns.add(command.words().get(0)));
        return List.copyOf(nouns);
    }

    /** Second words of the commands that begin with this one. */
    public List<String> verbs(String noun) {
        return commands.stream()
                .map(AnnotatedCommand::words)
                .filter(words -> words.size() > 1 && words.get(0).equals(noun))
                .map(words -> words.get(1))
                .distinct()
                .toList();
    }
}
