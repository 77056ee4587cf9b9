/** Reading and checking chunks, indexes and manifests. */
@NullMarked
package dev.holdfast.datastore.verify;

import org.jspecify.annotations.NullMarked;
