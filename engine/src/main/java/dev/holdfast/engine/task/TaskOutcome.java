package dev.holdfast.engine.task;

import dev.holdfast.api.model.Upid;

/**
 * What a finished task gave.
 *
 * @param value the job's own result
 * @param upid id of the task
 * @param warnings number of warning lines in its log
 */
public record TaskOutcome<T>(T value, Upid upid, long warnings) {}
