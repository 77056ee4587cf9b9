/** Garbage collection of small stores on disk and in memory. */
@NullMarked
package dev.holdfast.testkit.gc;

import org.jspecify.annotations.NullMarked;
