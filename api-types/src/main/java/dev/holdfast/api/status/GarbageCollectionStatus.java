package dev.holdfast.api.status;

import java.util.Optional;

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

    /** Hits and misses of the digest cache. */
    public record CacheStats(long hits, long misses) {}
}
