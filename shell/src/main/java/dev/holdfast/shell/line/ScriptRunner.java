package dev.holdfast.shell.line;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.SyntaxError;
import org.jline.reader.impl.DefaultParser;

/** Runs commands line by line: blank lines and lines that begin with {@code #} are skipped, the first failure ends it. */
public final class ScriptRunner {

    private final CommandLine commands;

    public ScriptRunner(CommandLine commands) {
        this.commands = commands;
    }

    /**
     * Runs a script.
     *
     * @param name names the script in messages
     * @return the exit code of the first command that failed; 3 if all went through and some of them warned; else 0
     */
    public int run(BufferedReader script, String name) throws IOException {
        int worst = ExitCode.OK;
        int number = 0;
        for (String line = script.readLine(); line != null; line = script.readLine()) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            int code;
            try {
                code = commands.run(words(text));
            } catch (UsageException e) {
                commands.session().err().println("holdfast: " + e.getMessage());
                code = ExitCode.USAGE;
            }
            if (code == ExitCode.WARNINGS) {
                worst = code;
            } else if (code != ExitCode.OK) {
                commands.session()
                        .err()
                        .println("holdfast: " + name + ":" + number + ": stopped at '" + text + "' (exit code " + code
                                + ")");
                return code;
            }
        }
        return worst;
    }

    /** Splits a line at blanks, with quotes and backslashes as in a shell. */
    public static List<String> words(String line) throws UsageException {
        try {
            List<String> words = parser().parse(line, line.length(), ParseContext.ACCEPT_LINE)
                    .words();
            // The parser ends a line that ends in a blank with an empty word.
            List<String> kept = words.stream().filter(word -> !word.isEmpty()).toList();
            return !kept.isEmpty() && kept.get(0).equals("holdfast") ? kept.subList(1, kept.size()) : kept;
        } catch (EOFError e) {
            throw new UsageException("a quote is not closed: " + line);
        } catch (SyntaxError e) {
            throw new UsageException(e.getMessage() + ": " + line);
        }
    }

    /** The parser of lines, here and at the prompt. */
    public static DefaultParser parser() {
        DefaultParser parser = new DefaultParser();
        parser.setEofOnUnclosedQuote(true);
        return parser;
    }
}
