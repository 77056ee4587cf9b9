/** The command line: interactive, one-shot and scripts. */
@NullMarked
package dev.holdfast.shell;

import org.jspecify.annotations.NullMarked;
