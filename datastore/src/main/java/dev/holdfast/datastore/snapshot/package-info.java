/** Namespaces, groups and snapshots, and a backup while it runs. */
@NullMarked
package dev.holdfast.datastore.snapshot;

import org.jspecify.annotations.NullMarked;
