package dev.holdfast.shell.line;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandOption;
import org.springframework.shell.core.command.ExitStatus;
import org.springframework.shell.core.command.ParsedInput;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Option;

/**
 * A command made of a method with Spring Shell's annotations. Takes the place of Spring Shell's own adapter: values are
 * converted to the types of {@code api-types}, flags are flags, errors stay themselves.
 *
 * <p>A parameter is one of: {@link Invocation}; {@code @Argument}, required unless {@code @Nullable}, a {@code List} takes
 * all remaining words; {@code @Option}, a {@code boolean} is a flag, a {@code List} may be given several times. The method
 * returns a {@link CommandResult}.
 */
public final class AnnotatedCommand implements Command {

    private final org.springframework.shell.core.command.annotation.Command annotation;
    private final Method method;
    private final Supplier<Object> target;
    private final Function<GlobalOptions, Invocation> invocations;
    private final List<ArgumentSpec> arguments = new ArrayList<>();
    private final List<OptionSpec> options = new ArrayList<>();

    AnnotatedCommand(
            org.springframework.shell.core.command.annotation.Command annotation,
            Method method,
            Supplier<Object> target,
            Function<GlobalOptions, Invocation> invocations) {
        this.annotation = annotation;
        this.method = method;
        this.target = target;
        this.invocations = invocations;
        for (Parameter parameter : method.getParameters()) {
            Option option = parameter.getAnnotation(Option.class);
            Argument argument = parameter.getAnnotation(Argument.class);
            if (option != null) {
                options.add(
                        new OptionSpec(option.longName(), kind(parameter), valueName(parameter), option.description()));
            } else if (argument != null) {
                arguments.add(new ArgumentSpec(placeholder(parameter), argument.description(), presence(parameter)));
            }
        }
    }

    /** The words of the name. */
    public List<String> words() {
        return List.of(getName().split(" "));
    }

    public List<ArgumentSpec> argumentSpecs() {
        return arguments;
    }

    /** Its own options, without the global ones. */
    public List<OptionSpec> optionSpecs() {
        return options;
    }

    /** Name and arguments, for example {@code gc run NAME [--options]}. */
    public String usage() {
        String words = arguments.stream().map(ArgumentSpec::usage).collect(Collectors.joining(" "));
        return (getName() + " " + words).strip() + (options.isEmpty() ? "" : " [--options]");
    }

    @Override
    public String getName() {
        return String.join(" ", annotation.name());
    }

    @Override
    public String getDescription() {
        return annotation.description();
    }

    @Override
    public String getHelp() {
        return annotation.help();
    }

    @Override
    public String getGroup() {
        return words().get(0);
    }

    @Override
    public List<CommandOption> getOptions() {
        return options.stream()
                .map(spec -> CommandOption.with()
                        .longName(spec.name())
                        .description(spec.description())
                        .type(spec.isFlag() ? boolean.class : String.class)
                        .build())
                .toList();
    }

    /** Converts the words, calls the method, prints its result. */
    @Override
    public ExitStatus execute(CommandContext context) throws Exception {
        ParsedInput input = context.parsedInput();
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (CommandOption option : input.options()) {
            given.computeIfAbsent(option.longName(), key -> new ArrayList<>()).add(option.value());
        }
        List<String> words =
                input.arguments().stream().map(CommandArgument::value).toList();
        try (Invocation invocation = invocations.apply(GlobalOptions.of(given))) {
            CommandResult result = call(values(invocation, given, words));
            invocation.print(result);
            return new ExitStatus(result.code(), "");
        }
    }

    private List<@Nullable Object> values(Invocation invocation, Map<String, List<String>> given, List<String> words)
            throws UsageException {
        List<@Nullable Object> values = new ArrayList<>();
        int position = 0;
        for (Parameter parameter : method.getParameters()) {
            Option option = parameter.getAnnotation(Option.class);
            if (parameter.getType() == Invocation.class) {
                values.add(invocation);
            } else if (option != null) {
                values.add(ValueConversion.option(
                        parameter, option.longName(), given.getOrDefault(option.longName(), List.of())));
            } else if (parameter.getType() == List.class) {
                values.add(List.copyOf(words.subList(Math.min(position, words.size()), words.size())));
            } else {
                values.add(
                        position < words.size()
                                ? ValueConversion.convert(
                                        parameter.getType(), placeholder(parameter), words.get(position))
                                : null);
                position++;
            }
        }
        return values;
    }

    private CommandResult call(List<@Nullable Object> values) throws Exception {
        try {
            return (CommandResult) method.invoke(target.get(), values.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** {@code keyFile} gives KEY-FILE; an underscore stands for what a Java name cannot hold: {@code key_value}, KEY=VALUE. */
    private static String placeholder(Parameter parameter) {
        return parameter
                .getName()
                .replace('_', '=')
                .replaceAll("([A-Z])", "-$1")
                .toUpperCase(Locale.ROOT);
    }

    private static String valueName(Parameter parameter) {
        if (parameter.getType() == boolean.class) {
            return "";
        }
        if (parameter.getType() == Integer.class || parameter.getType() == Long.class) {
            return "N";
        }
        return placeholder(parameter);
    }

    private static OptionSpec.Kind kind(Parameter parameter) {
        if (parameter.getType() == boolean.class) {
            return OptionSpec.Kind.FLAG;
        }
        return parameter.getType() == List.class ? OptionSpec.Kind.REPEATABLE_VALUE : OptionSpec.Kind.VALUE;
    }

    private static ArgumentSpec.Presence presence(Parameter parameter) {
        boolean nullable = parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
        if (parameter.getType() == List.class) {
            return nullable ? ArgumentSpec.Presence.ANY_NUMBER : ArgumentSpec.Presence.ONE_OR_MORE;
        }
        return nullable ? ArgumentSpec.Presence.OPTIONAL : ArgumentSpec.Presence.REQUIRED;
    }
}
