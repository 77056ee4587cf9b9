package dev.holdfast.api.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;

/**
 * The name of a snapshot inside its namespace, written {@code host/web1/2026-01-31T12:00:00Z}.
 *
 * @param group the group
 * @param time backup time in Unix seconds, 1 to 253402300799 (the end of the year 9999)
 */
public record SnapshotId(BackupGroup group, long time) implements Comparable<SnapshotId> {

    /** Smallest backup time, in Unix seconds. */
    public static final long MIN_TIME = 1;

    /** Greatest backup time, in Unix seconds: 9999-12-31T23:59:59Z. */
    public static final long MAX_TIME = 253_402_300_799L;

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private static final Comparator<SnapshotId> ORDER =
            Comparator.comparing(SnapshotId::group).thenComparingLong(SnapshotId::time);

    public SnapshotId {
        if (time < MIN_TIME || time > MAX_TIME) {
            throw new IllegalArgumentException(
                    "backup time must be from " + MIN_TIME + " to " + MAX_TIME + " seconds, not " + time);
        }
    }

    /**
     * Parses {@code type/id/time}.
     *
     * @throws IllegalArgumentException if a part is malformed or the time is not in canonical form
     */
    public static SnapshotId parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "a snapshot is written TYPE/ID/TIME, for example vm/100/2026-01-31T12:00:00Z: '" + text + "'");
        }
        return new SnapshotId(BackupGroup.parse(text.substring(0, slash)), parseTime(text.substring(slash + 1)));
    }

    /**
     * Parses a snapshot directory's name, always UTC, to the second, in the one form that {@link #timeText()} writes.
     *
     * @throws IllegalArgumentException for any other text, also for a day that its month does not have
     */
    public static long parseTime(String text) {
        try {
            long seconds = FORMAT.parse(text, Instant::from).getEpochSecond();
            if (formatTime(seconds).equals(text)) {
                return seconds;
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("a backup time is written like 2026-01-31T12:00:00Z: '" + text + "'", e);
        }
        throw new IllegalArgumentException("a backup time is written like 2026-01-31T12:00:00Z: '" + text + "'");
    }

    /** The directory name for a time in Unix seconds. */
    public static String formatTime(long seconds) {
        return FORMAT.format(Instant.ofEpochSecond(seconds));
    }

    /** The name of this snapshot's directory, for example {@code 2026-01-31T12:00:00Z}. */
    public String timeText() {
        return formatTime(time);
    }

    @Override
    public int compareTo(SnapshotId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return group + "/" + timeText();
    }
}
