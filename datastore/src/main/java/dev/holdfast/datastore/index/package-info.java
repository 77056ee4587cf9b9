/** Fixed and dynamic index files: readers and writers. */
@NullMarked
package dev.holdfast.datastore.index;

import org.jspecify.annotations.NullMarked;
