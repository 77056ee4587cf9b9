/**
 * What every store of chunks has to keep: the contract suite, a store in memory that keeps it as well, and batches of
 * digests for tests.
 */
@NullMarked
package dev.holdfast.testkit.chunk;

import org.jspecify.annotations.NullMarked;
