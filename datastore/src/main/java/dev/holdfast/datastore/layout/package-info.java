/** Every path and name below a store's root, both ways. */
@NullMarked
package dev.holdfast.datastore.layout;

import org.jspecify.annotations.NullMarked;
