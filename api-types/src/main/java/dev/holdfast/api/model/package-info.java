/** Names and identities that cross every boundary: digests, namespaces, groups, snapshots, archives, tasks. */
@NullMarked
package dev.holdfast.api.model;

import org.jspecify.annotations.NullMarked;
