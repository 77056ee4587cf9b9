/** The manifest of a snapshot: reading, canonical form, signature, writing. */
@NullMarked
package dev.holdfast.datastore.manifest;

import org.jspecify.annotations.NullMarked;
