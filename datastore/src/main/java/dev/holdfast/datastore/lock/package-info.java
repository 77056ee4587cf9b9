/** Locks between processes and inside one; no lock is handed out by a getter. */
@NullMarked
package dev.holdfast.datastore.lock;

import org.jspecify.annotations.NullMarked;
