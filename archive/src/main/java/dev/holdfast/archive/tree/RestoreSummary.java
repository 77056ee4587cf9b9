package dev.holdfast.archive.tree;

/**
 * What a restore wrote.
 *
 * @param entries including directories that were there and were entered
 * @param bytes of contents
 * @param problems reported to the listener
 */
public record RestoreSummary(long entries, long bytes, long problems) {}
