/** The port through which long work reports and is told to stop. */
@NullMarked
package dev.holdfast.datastore.task;

import org.jspecify.annotations.NullMarked;
