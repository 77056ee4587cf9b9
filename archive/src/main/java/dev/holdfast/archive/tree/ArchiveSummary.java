package dev.holdfast.archive.tree;

/**
 * What a backup wrote.
 *
 * @param entries of the archive, the root included
 * @param bytes of contents
 * @param problems reported to the listener
 */
public record ArchiveSummary(long entries, long bytes, long problems) {}
