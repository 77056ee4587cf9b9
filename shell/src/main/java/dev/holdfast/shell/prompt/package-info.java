/** The interactive shell: prompt, history, completion. */
@NullMarked
package dev.holdfast.shell.prompt;

import org.jspecify.annotations.NullMarked;
