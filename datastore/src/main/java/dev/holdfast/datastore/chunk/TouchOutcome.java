package dev.holdfast.datastore.chunk;

/**
 * What a touch of a batch did. Touched and absent add up to the batch's size.
 *
 * @param touched chunks that were there and now have a new access time
 * @param absent positions in the batch of chunks that are certainly not there, ascending; do not modify
 * @param badKept absent chunks of which bad copies were found, and touched
 * @param directoriesOpened prefix directories that were opened
 */
public record TouchOutcome(long touched, int[] absent, long badKept, long directoriesOpened) {}
