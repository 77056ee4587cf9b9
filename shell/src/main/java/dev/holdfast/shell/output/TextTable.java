package dev.holdfast.shell.output;

import java.util.ArrayList;
import java.util.List;

/** An aligned table: columns whose name begins with {@code >} are aligned to the right. */
public final class TextTable {

    private static final String GAP = "  ";

    private final List<String> header = new ArrayList<>();
    private final List<Boolean> right = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... columns) {
        for (String column : columns) {
            boolean isRight = column.startsWith(">");
            header.add(isRight ? column.substring(1) : column);
            right.add(isRight);
        }
    }

    /** Adds a row; control characters in a cell become question marks. */
    public TextTable row(Object... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + header.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell).replaceAll("\\p{Cntrl}", "?"));
        }
        rows.add(row);
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The header line. */
    String headerLine() {
        return line(header);
    }

    /** The lines below the header. */
    List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String pad = " ".repeat(width(i) - length(cell));
            line.append(i == 0 ? "" : GAP).append(right.get(i) ? pad + cell : cell + pad);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int width = length(header.get(column));
        for (List<String> row : rows) {
            width = Math.max(width, length(row.get(column)));
        }
        return width;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
