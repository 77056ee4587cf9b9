/** Shows how far long work has come, on standard error: a bar on a terminal, otherwise a line every few seconds. */
@NullMarked
package dev.holdfast.shell.progress;

import org.jspecify.annotations.NullMarked;
