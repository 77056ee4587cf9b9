package dev.holdfast.datastore;

import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;

/**
 * What all stores of a process share.
 *
 * @param files the door to the operating system
 * @param clock time of day
 * @param lockDirectory where lock files of groups and snapshots lie, the same for every process that uses a store; see
 *     {@link dev.holdfast.datastore.lock.DirectoryLocks#DEFAULT_DIRECTORY}
 */
public record StoreEnvironment(PosixFiles files, Clock clock, Path lockDirectory) {}
