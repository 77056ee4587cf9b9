/** The port to a store of chunks, and the values that cross it. */
@NullMarked
package dev.holdfast.datastore.chunk;

import org.jspecify.annotations.NullMarked;
