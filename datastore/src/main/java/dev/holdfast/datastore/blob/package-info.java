/** The container of chunks and blobs: magic, checksum, compression, encryption. */
@NullMarked
package dev.holdfast.datastore.blob;

import org.jspecify.annotations.NullMarked;
