package dev.holdfast.shell.line;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every command takes.
 *
 * @param json whether the result goes out as JSON
 * @param config the configuration file, or null for the usual place
 * @param chatter how much is said besides the result
 * @param debug whether stack traces go to the log file
 */
public record GlobalOptions(boolean json, @Nullable Path config, Chatter chatter, Debug debug) {

    /** How much is said besides the result. */
    public enum Chatter {
        NORMAL,
        NO_PROGRESS,
        QUIET
    }

    /** Whether stack traces are kept. */
    public enum Debug {
        OFF,
        ON
    }

    public static final List<OptionSpec> SPECS = List.of(
            new OptionSpec("output", OptionSpec.Kind.VALUE, "text|json", "Form of the result. Default: text."),
            new OptionSpec(
                    "config",
                    OptionSpec.Kind.VALUE,
                    "FILE",
                    "Configuration file. Default: $HOLDFAST_CONFIG, /etc/holdfast/holdfast.yaml if it exists, then"
                            + " ~/.config/holdfast/holdfast.yaml."),
            new OptionSpec("quiet", OptionSpec.Kind.FLAG, "", "Only results, warnings and errors."),
            new OptionSpec("no-progress", OptionSpec.Kind.FLAG, "", "No progress bar or progress lines."),
            new OptionSpec("debug", OptionSpec.Kind.FLAG, "", "Keep stack traces of errors in the shell's log file."),
            new OptionSpec("help", OptionSpec.Kind.FLAG, "", "Show the help of the command."));

    /** Picks the global options out of all that were given. */
    static GlobalOptions of(Map<String, List<String>> given) throws UsageException {
        String output = last(given, "output", "text");
        if (!output.equals("text") && !output.equals("json")) {
            throw new UsageException("--output must be text or json, not '" + output + "'");
        }
        String config = last(given, "config", "");
        if (given.containsKey("config") && config.isEmpty()) {
            throw new UsageException("--config needs the path of a file");
        }
        Chatter chatter = flag(given, "quiet")
                ? Chatter.QUIET
                : flag(given, "no-progress") ? Chatter.NO_PROGRESS : Chatter.NORMAL;
        return new GlobalOptions(
                output.equals("json"),
                config.isEmpty() ? null : Path.of(config),
                chatter,
                flag(given, "debug") ? Debug.ON : Debug.OFF);
    }

    static boolean isGlobal(String name) {
        return SPECS.stream().anyMatch(spec -> spec.name().equals(name));
    }

    private static boolean flag(Map<String, List<String>> given, String name) {
        return last(given, name, "false").equals("true");
    }

    private static String last(Map<String, List<String>> given, String name, String otherwise) {
        List<String> values = given.getOrDefault(name, List.of());
        return values.isEmpty() ? otherwise : values.get(values.size() - 1);
    }
}
