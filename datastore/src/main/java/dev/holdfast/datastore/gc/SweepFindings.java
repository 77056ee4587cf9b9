package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.time.Clock;

/** What a sweep comes by that somebody should know. Safe for use by any thread. */
final class SweepFindings {

    private final GcWarnings warnings;
    private final DatastoreLayout layout;
    private volatile long nowSeconds;

    SweepFindings(GcWarnings warnings, DatastoreLayout layout) {
        this.warnings = warnings;
        this.layout = layout;
    }

    /** @param verdict what was, or would be, done with the file */
    void consider(SweepEntry entry, SweepVerdict verdict, Clock clock) {
        if (entry.misplaced()) {
            String path = GcSweep.relative(layout, entry);
            warnings.add(
                    "misplaced-chunk",
                    path,
                    "chunk file " + path + " lies in a directory that is not its own, where nothing finds it; it goes"
                            + " when it is old enough");
        }
        if (entry.accessSeconds() > nowSeconds + ClockGuard.TOLERANCE_SECONDS) {
            considerFuture(entry, clock);
        }
        if (entry.kind() == SweepEntry.Kind.BAD && verdict == SweepVerdict.KEEP) {
            String path = GcSweep.relative(layout, entry);
            warnings.add(
                    "leftover-bad",
                    path,
                    "bad chunk " + path + " is kept: an index still needs the chunk, and there is no good one");
        }
    }

    private void considerFuture(SweepEntry entry, Clock clock) {
        nowSeconds = Math.floorDiv(clock.millis(), 1000L);
        if (entry.accessSeconds() > nowSeconds + ClockGuard.TOLERANCE_SECONDS) {
            String path = GcSweep.relative(layout, entry);
            warnings.add(
                    "future-atime",
                    path,
                    "chunk file " + path + " has an access time " + (entry.accessSeconds() - nowSeconds)
                            + " s in the future and is kept until then");
        }
    }
}
