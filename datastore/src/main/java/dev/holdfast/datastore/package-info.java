/** One datastore: the root opens its rooms and hands them out. */
@NullMarked
package dev.holdfast.datastore;

import org.jspecify.annotations.NullMarked;
