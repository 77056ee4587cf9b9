package dev.holdfast.shell.output;

import java.io.PrintStream;

/** Writes text results. */
public final class TextOutput {

    /** Escape sequence for bold, and back. */
    private static final String BOLD = "\u001b[1m";

    private static final String PLAIN = "\u001b[0m";

    private final PrintStream out;
    private final Style style;

    /**
     * How much and how colourful.
     *
     * @param colours whether escape sequences may be used
     * @param notes whether confirmations are written
     */
    public record Style(Colours colours, Notes notes) {}

    /** Whether escape sequences may be used. */
    public enum Colours {
        OFF,
        ON
    }

    /** Whether sentences that only confirm what was done are written. */
    public enum Notes {
        OFF,
        ON
    }

    public TextOutput(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    public void line(String text) {
        out.println(text);
    }

    /** A sentence that only confirms what was done. */
    public void note(String text) {
        if (style.notes() == Notes.ON) {
            out.println(text);
        }
    }

    public void heading(String text) {
        out.println(style.colours() == Colours.ON ? BOLD + text + PLAIN : text);
    }

    /** A table, or a sentence if it is empty. */
    public void table(TextTable table, String ifEmpty) {
        if (table.isEmpty()) {
            note(ifEmpty);
            return;
        }
        heading(table.headerLine());
        table.lines().forEach(out::println);
    }

    /** Names and values, aligned: alternately a name and its value; a null value leaves the line out. */
    public void fields(Object... namesAndValues) {
        int width = 0;
        for (int i = 0; i < namesAndValues.length; i += 2) {
            width = Math.max(width, namesAndValues[i].toString().length());
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                String name = namesAndValues[i].toString();
                out.println(name + ":" + " ".repeat(width - name.length() + 1) + namesAndValues[i + 1]);
            }
        }
    }
}
