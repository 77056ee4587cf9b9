package dev.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The runs of a file that {@code gc.sh} wrote. */
final class Results {

    /** What was compared with each other: one store on one disk, cold or warm, and one measure. */
    record Setting(String filesystem, String disk, String mode, String chunks, String measure) {

        /** For example {@code xfs, cold}. */
        String title() {
            return filesystem + ", " + mode + (disk.equals("none") ? "" : ", " + disk);
        }
    }

    /** One line of the file. */
    record Line(
            Setting setting,
            int round,
            String variant,
            double markSeconds,
            double totalSeconds,
            Map<String, String> all) {

        /** Phase 1 of a whole collection, or all the touches. */
        double seconds() {
            return markSeconds;
        }

        /** Processor time of the program that ran, all threads, in user and kernel mode. */
        double cpuSeconds() {
            return number("cpu_s");
        }

        double number(String column) {
            return Double.parseDouble(all.getOrDefault(column, "0"));
        }
    }

    private final List<Line> lines;

    private Results(List<Line> lines) {
        this.lines = lines;
    }

    static Results read(Path csv) throws IOException {
        return parse(Files.readAllLines(csv));
    }

    static Results parse(List<String> rows) {
        List<String> columns = Arrays.asList(rows.get(0).split(",", -1));
        List<Line> lines = new ArrayList<>();
        for (String row : rows.subList(1, rows.size())) {
            String[] fields = row.split(",", -1);
            if (fields.length != columns.size()) {
                throw new IllegalArgumentException("a row with " + fields.length + " fields: " + row);
            }
            Map<String, String> all = new LinkedHashMap<>();
            for (int i = 0; i < fields.length; i++) {
                all.put(columns.get(i), fields[i]);
            }
            lines.add(line(all));
        }
        return new Results(lines);
    }

    private static Line line(Map<String, String> all) {
        return new Line(
                new Setting(
                        all.getOrDefault("fs", ""),
                        all.getOrDefault("disk", ""),
                        all.getOrDefault("mode", ""),
                        all.getOrDefault("chunks", ""),
                        all.getOrDefault("measure", "")),
                Integer.parseInt(all.getOrDefault("round", "0")),
                all.getOrDefault("variant", ""),
                Double.parseDouble(all.getOrDefault("mark_s", "")),
                Double.parseDouble(all.getOrDefault("total_s", "")),
                all);
    }

    /** In the order in which they first came. */
    List<Setting> settings() {
        LinkedHashSet<Setting> settings = new LinkedHashSet<>();
        lines.forEach(line -> settings.add(line.setting()));
        return List.copyOf(settings);
    }

    List<String> variants(Setting setting) {
        LinkedHashSet<String> variants = new LinkedHashSet<>();
        of(setting).forEach(line -> variants.add(line.variant()));
        return List.copyOf(variants);
    }

    private List<Line> of(Setting setting) {
        return lines.stream().filter(line -> line.setting().equals(setting)).toList();
    }

    List<Line> of(Setting setting, String variant) {
        return of(setting).stream()
                .filter(line -> line.variant().equals(variant))
                .toList();
    }

    double median(Setting setting, String variant, ToDoubleFunction<Line> value) {
        return median(of(setting, variant).stream().mapToDouble(value).toArray());
    }

    /**
     * The median, over the rounds, of how long a variant took for each second that another took in the same round: what
     * disturbs the machine for a while disturbs both.
     */
    OptionalDouble ratio(Setting setting, String variant, String base, ToDoubleFunction<Line> value) {
        Map<Integer, Double> bases = new LinkedHashMap<>();
        of(setting, base).forEach(line -> bases.put(line.round(), value.applyAsDouble(line)));
        double[] ratios = of(setting, variant).stream()
                .filter(line -> bases.getOrDefault(line.round(), 0.0) > 0)
                .mapToDouble(line -> value.applyAsDouble(line) / bases.getOrDefault(line.round(), 0.0))
                .toArray();
        return ratios.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(ratios));
    }

    /** The middle one, or the mean of the middle two. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
