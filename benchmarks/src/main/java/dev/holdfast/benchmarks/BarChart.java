package dev.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in panels side by side, as SVG that is legible on a light and on a dark page. For one thread. */
final class BarChart {

    private static final int LABELS = 130;
    private static final int PANEL = 250;
    private static final int BAR = 20;
    private static final int TOP = 62;

    private final String title;
    private final List<Panel> panels = new ArrayList<>();

    BarChart(String title) {
        this.title = title;
    }

    private record Bar(String label, double value, String text) {}

    /** One group of bars with its own scale. */
    static final class Panel {

        private final String name;
        private final List<Bar> bars = new ArrayList<>();

        private Panel(String name) {
            this.name = name;
        }

        /** @param text what to write at the end of the bar */
        void bar(String label, double value, String text) {
            bars.add(new Bar(label, value, text));
        }

        private double greatest() {
            return bars.stream().mapToDouble(Bar::value).max().orElse(1);
        }
    }

    Panel panel(String name) {
        Panel panel = new Panel(name);
        panels.add(panel);
        return panel;
    }

    String svg() {
        int rows = panels.stream().mapToInt(panel -> panel.bars.size()).max().orElse(0);
        Svg svg = new Svg(panels.size() * (LABELS + PANEL) + 20, TOP + rows * BAR + 16);
        svg.text(10, 22, "title", title);
        int left = 10;
        for (Panel panel : panels) {
            svg.text(left + LABELS, TOP - 14, "name", panel.name);
            double scale = (PANEL - 70) / panel.greatest();
            int y = TOP;
            for (Bar bar : panel.bars) {
                svg.textEnd(left + LABELS - 6, y + 13, "label", bar.label);
                svg.add(String.format(
                        Locale.ROOT,
                        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                        bar.label.startsWith("native") ? "other" : "bar",
                        left + LABELS,
                        y + 2,
                        Math.max(1, bar.value * scale),
                        BAR - 6));
                svg.text(left + LABELS + bar.value * scale + 5, y + 13, "value", bar.text);
                y += BAR;
            }
            left += LABELS + PANEL;
        }
        return svg.toString();
    }
}
