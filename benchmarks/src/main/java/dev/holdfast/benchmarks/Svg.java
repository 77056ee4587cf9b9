package dev.holdfast.benchmarks;

import java.util.Locale;

/** A drawing that takes its colours from the page it is on: light or dark. For one thread. */
final class Svg {

    private static final String STYLE = "<style>text{font-family:system-ui,sans-serif;font-size:12px;fill:#1f2328}"
            + ".title{font-size:15px;font-weight:600}.name{font-weight:600}.back{fill:#ffffff}.bar{fill:#2f6fb3}"
            + ".other{fill:#8a8f98}.axis{stroke:#8a8f98;fill:none}.line0{stroke:#2f6fb3;fill:none;stroke-width:2}"
            + ".line1{stroke:#c4571b;fill:none;stroke-width:2}.dot0{fill:#2f6fb3}.dot1{fill:#c4571b}"
            + "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}.bar,.dot0{fill:#6cb0f5}"
            + ".line0{stroke:#6cb0f5}.line1{stroke:#f0945d}.dot1{fill:#f0945d}}</style>";

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s\n"
                        + "<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n",
                width,
                height,
                width,
                height,
                STYLE));
    }

    void add(String element) {
        text.append(element).append('\n');
    }

    /** Text that begins at a place. */
    void text(double x, double y, String style, String content) {
        write(x, y, style, "start", content);
    }

    /** Text that ends at a place. */
    void textEnd(double x, double y, String style, String content) {
        write(x, y, style, "end", content);
    }

    private void write(double x, double y, String style, String anchor, String content) {
        String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        add(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                style,
                x,
                y,
                anchor,
                escaped));
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }
}
