package dev.holdfast.engine.job;

import java.util.List;

/**
 * What a listing found, and what it could not read.
 *
 * @param items what was found
 * @param warnings one sentence for each thing that could not be read; it does not hide the others
 */
public record Listing<T>(List<T> items, List<String> warnings) {}
