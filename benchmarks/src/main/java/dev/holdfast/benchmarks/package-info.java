/**
 * Measurements of garbage collection: programs that make stores, time one run each and draw what was measured. The script
 * {@code benchmarks/gc.sh} puts them together; {@code docs/benchmarks.md} has the results. Never imported by production
 * code.
 */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
