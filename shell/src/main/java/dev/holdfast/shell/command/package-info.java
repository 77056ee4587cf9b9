/** The commands, one class per noun. Thin: they turn words into a call of an engine's job, and its result into text. */
@NullMarked
package dev.holdfast.shell.command;

import org.jspecify.annotations.NullMarked;
