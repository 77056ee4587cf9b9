/** Chunks on a local filesystem. */
@NullMarked
package dev.holdfast.datastore.chunk.fs;

import org.jspecify.annotations.NullMarked;
