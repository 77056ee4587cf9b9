/** A tour through the main job on real input, end to end, that checks itself. */
@NullMarked
package dev.holdfast.shell.quickstart;

import org.jspecify.annotations.NullMarked;
