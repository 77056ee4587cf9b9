/**
 * One use case per class: what a face (shell command, REST call) asks for, done on an open store, as a task where it is long
 * work. Results are records that a face can show as they are.
 */
@NullMarked
package dev.holdfast.engine.job;

import org.jspecify.annotations.NullMarked;
