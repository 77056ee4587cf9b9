/** Key files: a data key, in the clear or protected by a passphrase, as a file of JSON. */
@NullMarked
package dev.holdfast.datastore.key;

import org.jspecify.annotations.NullMarked;
