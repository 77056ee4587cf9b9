package dev.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Prints the tables of a file that {@code gc.sh} wrote, in Markdown, and draws its plots. */
final class Summary {

    private static final String BASE = "direct";
    private static final String NATIVE = "native:";

    private final Results results;

    private Summary(Results results) {
        this.results = results;
    }

    /** Options: {@code --csv FILE [--out DIR]}; plots are drawn into the directory, if one is given. */
    public static void main(String[] words) throws IOException {
        Options options = Options.parse(words, Set.of("csv", "out"));
        Summary summary = new Summary(Results.read(Path.of(options.required("csv"))));
        System.out.print(summary.tables());
        if (options.has("out")) {
            summary.draw(Path.of(options.required("out")));
        }
    }

    /** The tables of some results. */
    static String tables(Results results) {
        return new Summary(results).tables();
    }

    private String tables() {
        StringBuilder text = new StringBuilder();
        for (Results.Setting setting : results.settings()) {
            text.append("\n**")
                    .append(setting.title())
                    .append("** (")
                    .append(setting.chunks())
                    .append(" chunks, ")
                    .append(results.of(setting, results.variants(setting).get(0))
                            .size())
                    .append(" rounds)\n\n");
            text.append(setting.measure().equals("touch") ? touchTable(setting) : gcTable(setting));
        }
        return text.toString();
    }

    private String gcTable(Results.Setting setting) {
        StringBuilder text = new StringBuilder("| variant | phase 1 s (least–most) | ÷ direct | whole s | ÷ direct |"
                + " CPU s | ÷ direct | reads |\n|---|---|---|---|---|---|---|---|\n");
        for (String variant : results.variants(setting)) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.2f | %s | %.2f | %s | %.0f |\n",
                    variant,
                    range(setting, variant),
                    ratio(results.ratio(setting, variant, BASE, Results.Line::seconds)),
                    results.median(setting, variant, Results.Line::totalSeconds),
                    ratio(results.ratio(setting, variant, BASE, Results.Line::totalSeconds)),
                    results.median(setting, variant, Results.Line::cpuSeconds),
                    ratio(results.ratio(setting, variant, BASE, Results.Line::cpuSeconds)),
                    results.median(setting, variant, line -> line.number("reads"))));
        }
        return text.toString();
    }

    private String touchTable(Results.Setting setting) {
        StringBuilder text = new StringBuilder(
                "| touches only | s (least–most) | ÷ direct | ÷ native | CPU s | ÷ direct | ÷ native |\n"
                        + "|---|---|---|---|---|---|---|\n");
        for (String variant : results.variants(setting)) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %.2f | %s | %s |\n",
                    variant,
                    range(setting, variant),
                    ratio(results.ratio(setting, variant, BASE, Results.Line::seconds)),
                    ratio(results.ratio(setting, variant, NATIVE + variant, Results.Line::seconds)),
                    results.median(setting, variant, Results.Line::cpuSeconds),
                    ratio(results.ratio(setting, variant, BASE, Results.Line::cpuSeconds)),
                    ratio(results.ratio(setting, variant, NATIVE + variant, Results.Line::cpuSeconds))));
        }
        return text.toString();
    }

    private String range(Results.Setting setting, String variant) {
        double[] seconds = results.of(setting, variant).stream()
                .mapToDouble(Results.Line::seconds)
                .sorted()
                .toArray();
        return String.format(
                Locale.ROOT, "%.2f (%.2f–%.2f)", Results.median(seconds), seconds[0], seconds[seconds.length - 1]);
    }

    private static String ratio(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "";
    }

    /** One plot for each disk, mode and measure; the filesystems side by side in it. */
    private void draw(Path directory) throws IOException {
        Map<String, List<Results.Setting>> plots = new LinkedHashMap<>();
        for (Results.Setting setting : results.settings()) {
            String disk = setting.disk().equals("none") ? "" : "-" + setting.disk();
            plots.computeIfAbsent(setting.measure() + "-" + setting.mode() + disk, name -> new ArrayList<>())
                    .add(setting);
        }
        for (Map.Entry<String, List<Results.Setting>> plot : plots.entrySet()) {
            Files.writeString(directory.resolve(plot.getKey() + ".svg"), chart(plot.getValue()));
        }
    }

    private String chart(List<Results.Setting> settings) {
        boolean touch = settings.get(0).measure().equals("touch");
        BarChart chart = new BarChart((touch ? "Touches alone" : "Phase 1, time relative to direct") + ", "
                + settings.get(0).mode());
        for (Results.Setting setting : settings) {
            BarChart.Panel panel = chart.panel(setting.title());
            for (String variant : results.variants(setting)) {
                double seconds = results.median(setting, variant, Results.Line::seconds);
                panel.bar(variant, seconds, String.format(Locale.ROOT, "%.2f s", seconds));
            }
        }
        return chart.svg();
    }
}
