/**
 * Chunks on a local filesystem: insertion, loading, touching by batches, sweeping and setting aside. {@code docs/chunks.md}
 * tells the rules and what was measured.
 */
@NullMarked
package dev.holdfast.datastore.chunk.fs;

import org.jspecify.annotations.NullMarked;
