package dev.holdfast.posix;

/**
 * Room on a filesystem, as {@code statvfs} tells it.
 *
 * @param totalBytes size of the filesystem
 * @param freeBytes bytes that an unprivileged process may still use
 * @param totalInodes files the filesystem can hold, 0 where it has no such limit
 * @param freeInodes files that an unprivileged process may still create, 0 where {@code totalInodes} is 0
 */
public record FilesystemSpace(long totalBytes, long freeBytes, long totalInodes, long freeInodes) {}
