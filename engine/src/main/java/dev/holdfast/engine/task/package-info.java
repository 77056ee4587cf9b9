/**
 * One run of a job: its id, its log file and its final state, in the formats of Proxmox Backup Server, so that tools which
 * read those find ours readable too. Nothing here knows what a job does.
 */
@NullMarked
package dev.holdfast.engine.task;

import org.jspecify.annotations.NullMarked;
