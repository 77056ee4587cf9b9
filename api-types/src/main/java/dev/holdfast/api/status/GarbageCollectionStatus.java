package dev.holdfast.api.status;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of the last successful garbage collection, with the keys of Proxmox Backup Server.
 *
 * @param upid id of the task, if known
 * @param indexFileCount indexes marked
 * @param indexDataBytes sum of their logical sizes, bytes
 * @param diskBytes bytes of files in use
 * @param diskChunks chunks in use
 * @param removedBytes bytes removed
 * @param removedChunks chunks removed
 * @param pendingBytes bytes not marked but too young to go
 * @param pendingChunks chunks not marked but too young to go
 * @param removedBad bad chunks removed
 * @param stillBad bad chunks neither removed nor touched in this run
 * @param cacheStats hits and misses of the digest cache, if known
 */
public record GarbageCollectionStatus(
        Optional<String> upid,
        long indexFileCount,
        long indexDataBytes,
        long diskBytes,
        long diskChunks,
        long removedBytes,
        long removedChunks,
        long pendingBytes,
        long pendingChunks,
        long removedBad,
        long stillBad,
        Optional<CacheStats> cacheStats) {

    /** Before the first garbage collection: all zero. */
    public static final GarbageCollectionStatus NONE =
            new GarbageCollectionStatus(Optional.empty(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty());

    /** Hits and misses of the digest cache. */
    public record CacheStats(long hits, long misses) {}

    /** Bytes that the indexes stand for per byte in use; 1 where nothing is in use. */
    public double deduplicationFactor() {
        return diskBytes == 0 ? 1.0 : (double) indexDataBytes / diskBytes;
    }

    /** Bytes in use in per cent of the bytes that the indexes stand for; 0 where there are none. */
    public double usagePercent() {
        return indexDataBytes == 0 ? 0.0 : diskBytes * 100.0 / indexDataBytes;
    }

    /** Average length of a chunk file in use, in bytes; 0 where there is none. */
    public long averageChunkBytes() {
        return diskChunks == 0 ? 0 : diskBytes / diskChunks;
    }

    /** The members of the JSON form, in the order in which Proxmox Backup Server writes them. */
    public Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("upid", upid.orElse(null));
        map.put("index-file-count", indexFileCount);
        map.put("index-data-bytes", indexDataBytes);
        map.put("disk-bytes", diskBytes);
        map.put("disk-chunks", diskChunks);
        map.put("removed-bytes", removedBytes);
        map.put("removed-chunks", removedChunks);
        map.put("pending-bytes", pendingBytes);
        map.put("pending-chunks", pendingChunks);
        map.put("removed-bad", removedBad);
        map.put("still-bad", stillBad);
        cacheStats.ifPresent(stats -> {
            Map<String, Object> cache = new LinkedHashMap<>();
            cache.put("hits", stats.hits());
            cache.put("misses", stats.misses());
            map.put("cache-stats", cache);
        });
        return map;
    }

    /**
     * Reads the members of the JSON form; unknown ones are ignored.
     *
     * @throws IllegalArgumentException if a required member is missing, or one is no whole number from 0 up
     */
    public static GarbageCollectionStatus fromMap(Map<String, ?> map) {
        Object upid = map.get("upid");
        if (upid != null && !(upid instanceof String)) {
            throw new IllegalArgumentException("upid must be text or null, not '" + upid + "'");
        }
        Object cache = map.get("cache-stats");
        if (cache != null && !(cache instanceof Map<?, ?>)) {
            throw new IllegalArgumentException("cache-stats must be an object, not '" + cache + "'");
        }
        return new GarbageCollectionStatus(
                Optional.ofNullable((String) upid),
                number(map, "index-file-count"),
                number(map, "index-data-bytes"),
                number(map, "disk-bytes"),
                number(map, "disk-chunks"),
                number(map, "removed-bytes"),
                number(map, "removed-chunks"),
                number(map, "pending-bytes"),
                number(map, "pending-chunks"),
                number(map, "removed-bad"),
                number(map, "still-bad"),
                cache instanceof Map<?, ?> stats
                        ? Optional.of(new CacheStats(number(stats, "hits"), number(stats, "misses")))
                        : Optional.empty());
    }

    private static long number(Map<?, ?> map, String key) {
        Object value = map.get(key);
        if ((value instanceof Long || value instanceof Integer) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException(key + " must be a whole number from 0 up, not '" + value + "'");
    }
}
