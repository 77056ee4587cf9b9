package dev.holdfast.shell.output;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers and times as people read them. */
public final class HumanText {

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss zzz", Locale.ROOT);

    private HumanText() {}

    /** Binary units, three significant decimals at the most: {@code 1.426 MiB}, {@code 0 B}. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        if (unit == 0) {
            return bytes + " B";
        }
        String digits = String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
        return (digits.endsWith(".") ? digits.substring(0, digits.length() - 1) : digits) + " " + UNITS[unit];
    }

    /** Local time with its zone. */
    public static String time(long seconds) {
        return TIME.format(Instant.ofEpochSecond(seconds).atZone(ZoneId.systemDefault()));
    }

    /** {@code 850 ms}, {@code 12.3 s}, {@code 4 min 05 s}, {@code 2 h 03 min}. */
    public static String duration(long millis) {
        Duration duration = Duration.ofMillis(millis);
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        if (duration.toHours() == 0) {
            return String.format(Locale.ROOT, "%d min %02d s", duration.toMinutes(), duration.toSecondsPart());
        }
        return String.format(Locale.ROOT, "%d h %02d min", duration.toHours(), duration.toMinutesPart());
    }

    /** A count of some unit; bytes in binary units. */
    public static String count(long count, String unit) {
        return unit.equals("bytes") ? bytes(count) : count + " " + unit;
    }

    /** A rate per second of some unit. */
    public static String rate(double perSecond, String unit) {
        if (unit.equals("bytes")) {
            return bytes(Math.round(perSecond)) + "/s";
        }
        String digits = perSecond < 10 ? String.format(Locale.ROOT, "%.1f", perSecond) : "" + Math.round(perSecond);
        return digits + " " + unit + "/s";
    }
}
