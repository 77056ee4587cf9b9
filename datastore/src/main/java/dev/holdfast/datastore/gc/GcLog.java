package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.task.TaskContext;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The lines of a run's log that people and their scripts know. */
final class GcLog {

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private GcLog() {}

    static void limit(TaskContext task, GcPlan plan, int cutoffMinutes) {
        task.log("Using access time cutoff of " + cutoffMinutes / 60 + "h " + cutoffMinutes % 60
                + "min, minimum access time is " + Instant.ofEpochSecond(plan.cutoff()));
        if (plan.cutoff() != plan.start() - cutoffMinutes * 60L) {
            task.log("A backup that runs since " + Instant.ofEpochSecond(plan.oldestWriter())
                    + " moves the minimum access time back");
        }
    }

    static void cache(TaskContext task, GarbageCollectionStatus.CacheStats cache) {
        long all = cache.hits() + cache.misses();
        if (all > 0) {
            task.log(String.format(
                    Locale.ROOT,
                    "Chunk cache: hits %d, misses %d (hit ratio %.2f%%)",
                    cache.hits(),
                    cache.misses(),
                    cache.hits() * 100.0 / all));
        }
    }

    static void summary(TaskContext task, GarbageCollectionStatus status, Optional<GcReport.UsageEstimate> estimate) {
        status.cacheStats().ifPresent(cache -> cache(task, cache));
        removals(task, status);
        task.log("Original data usage: " + size(status.indexDataBytes()));
        if (status.indexDataBytes() > 0) {
            task.log(String.format(
                    Locale.ROOT,
                    "On-Disk usage: %s (%.2f%%)",
                    size(status.diskBytes()),
                    status.diskBytes() * 100.0 / status.indexDataBytes()));
        }
        estimate.ifPresent(e -> task.log("On-Disk usage is an estimate from " + e.sampledChunks() + " chunks, within "
                + size(e.errorBytes()) + " of the true figure with 95% certainty"));
        task.log("On-Disk chunks: " + status.diskChunks());
        double factor = status.diskBytes() > 0 && status.indexDataBytes() > 0
                ? (double) status.indexDataBytes() / status.diskBytes()
                : 1.0;
        task.log(String.format(Locale.ROOT, "Deduplication factor: %.2f", factor));
        if (status.diskChunks() > 0) {
            task.log("Average chunk size: " + size(status.diskBytes() / status.diskChunks()));
        }
    }

    /** What a sweep has removed and left, also one that did not come to its end. */
    static void removals(TaskContext task, GarbageCollectionStatus status) {
        task.log("Removed garbage: " + size(status.removedBytes()));
        task.log("Removed chunks: " + status.removedChunks());
        if (status.pendingBytes() > 0) {
            task.log(
                    "Pending removals: " + size(status.pendingBytes()) + " (in " + status.pendingChunks() + " chunks)");
        }
        if (status.removedBad() > 0) {
            task.log("Removed bad chunks: " + status.removedBad());
        }
        if (status.stillBad() > 0) {
            task.log("Leftover bad chunks: " + status.stillBad());
        }
    }

    /** A size in binary units with up to three decimals. */
    static String size(long bytes) {
        int unit = 0;
        long scale = 1;
        while (unit < UNITS.length - 1 && bytes / scale >= 1024) {
            scale *= 1024;
            unit++;
        }
        String number = BigDecimal.valueOf(bytes)
                .divide(BigDecimal.valueOf(scale), 3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
        return number + " " + UNITS[unit];
    }
}
