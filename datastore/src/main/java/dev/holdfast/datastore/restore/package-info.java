/** From a byte range of an archive to checked bytes. */
@NullMarked
package dev.holdfast.datastore.restore;

import org.jspecify.annotations.NullMarked;
