/** How results look: aligned tables, binary units, local times, and JSON. Knows nothing of commands. */
@NullMarked
package dev.holdfast.shell.output;

import org.jspecify.annotations.NullMarked;
