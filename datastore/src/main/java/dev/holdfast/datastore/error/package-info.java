/** What can go wrong with a store, one exception per kind, each with typed fields. */
@NullMarked
package dev.holdfast.datastore.error;

import org.jspecify.annotations.NullMarked;
