/** Garbage collection: what is used, what may go, and when. */
@NullMarked
package dev.holdfast.datastore.gc;

import org.jspecify.annotations.NullMarked;
