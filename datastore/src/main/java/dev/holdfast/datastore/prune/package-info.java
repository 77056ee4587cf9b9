/** Which snapshots a retention policy keeps. */
@NullMarked
package dev.holdfast.datastore.prune;

import org.jspecify.annotations.NullMarked;
