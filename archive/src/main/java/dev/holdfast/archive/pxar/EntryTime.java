package dev.holdfast.archive.pxar;

/**
 * A time of modification.
 *
 * @param seconds since 1970-01-01 UTC, floor, any value
 * @param nanos counted forward from the seconds, 0 to 999999999
 */
public record EntryTime(long seconds, int nanos) {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    public EntryTime {
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw new IllegalArgumentException("nanoseconds must be 0 to 999999999: " + nanos);
        }
    }
}
