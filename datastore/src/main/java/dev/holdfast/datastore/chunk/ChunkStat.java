package dev.holdfast.datastore.chunk;

/**
 * What a store knows about a chunk without reading it.
 *
 * @param size length of the encoded file in bytes
 * @param accessSeconds access time, Unix seconds
 * @param accessNanos nanoseconds within that second
 * @param inode a number that changes when the file is replaced; 0 where there is none
 */
public record ChunkStat(long size, long accessSeconds, int accessNanos, long inode) {}
