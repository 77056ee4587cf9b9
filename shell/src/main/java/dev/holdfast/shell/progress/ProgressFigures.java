package dev.holdfast.shell.progress;

import dev.holdfast.shell.output.HumanText;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How far one phase has come, at one moment.
 *
 * @param phase name of the phase
 * @param unit what is counted
 * @param done units done
 * @param total units in all, negative while unknown
 * @param times how long it has taken, and will take
 */
record ProgressFigures(String phase, String unit, long done, long total, Times times) {

    /**
     * @param elapsedNanos since the phase began
     * @param idleNanos since the count last grew
     * @param leftNanos what the work itself expects, negative if it cannot say; empty if it leaves that to us
     */
    record Times(long elapsedNanos, long idleNanos, OptionalLong leftNanos) {}

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
        line.append(", ").append(HumanText.rate(rate(), unit));
        left().ifPresent(left -> line.append(", ").append(left).append(" left"));
        return line.append(", last advance ")
                .append(idleSeconds())
                .append(" s ago")
                .toString();
    }

    private double rate() {
        double seconds = times.elapsedNanos() / (double) TimeUnit.SECONDS.toNanos(1);
        return seconds > 0 ? done / seconds : 0;
    }

    /** The time left: what the work says, or what the counts say. */
    Optional<String> left() {
        double seconds;
        if (times.leftNanos().isPresent()) {
            seconds = times.leftNanos().getAsLong() / (double) TimeUnit.SECONDS.toNanos(1);
        } else {
            seconds = total >= done && rate() > 0 ? (total - done) / rate() : -1;
        }
        return seconds < 0 ? Optional.empty() : Optional.of(HumanText.duration(Math.round(seconds) * 1000));
    }

    long idleSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(times.idleNanos());
    }
}
