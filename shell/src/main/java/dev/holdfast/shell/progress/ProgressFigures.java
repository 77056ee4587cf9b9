package dev.holdfast.shell.progress;

import dev.holdfast.shell.output.HumanText;
import java.util.concurrent.TimeUnit;

/**
 * How far one phase has come, at one moment.
 *
 * @param phase name of the phase
 * @param unit what is counted
 * @param done units done
 * @param total units in all, negative while unknown
 * @param elapsedNanos since the phase began
 * @param idleNanos since the count last grew
 */
record ProgressFigures(String phase, String unit, long done, long total, long elapsedNanos, long idleNanos) {

    /** Phase and count alone. */
    String brief() {
        if (total < 0) {
            return phase + ": " + HumanText.count(done, unit);
        }
        String of = unit.equals("bytes")
                ? HumanText.bytes(done) + " of " + HumanText.bytes(total)
                : done + " of " + total + " " + unit;
        return phase + ": " + of;
    }

    /** Count, share, rate, time left, and time since the last advance. */
    String line() {
        StringBuilder line = new StringBuilder(brief());
        if (total > 0) {
            line.append(" (").append((int) Math.min(100, done * 100.0 / total)).append(" %)");
        }
        double seconds = elapsedNanos / (double) TimeUnit.SECONDS.toNanos(1);
        double rate = seconds > 0 ? done / seconds : 0;
        line.append(", ").append(HumanText.rate(rate, unit));
        if (total >= done && rate > 0) {
            line.append(", ").append(left((total - done) / rate)).append(" left");
        }
        return line.append(", last advance ")
                .append(idleSeconds())
                .append(" s ago")
                .toString();
    }

    long idleSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(idleNanos);
    }

    private static String left(double seconds) {
        return HumanText.duration(Math.round(seconds) * 1000);
    }
}
