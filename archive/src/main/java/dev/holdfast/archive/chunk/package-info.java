/** Cutting a stream into chunks: by content, as PBS does for archives, or in equal pieces, as it does for images. */
@NullMarked
package dev.holdfast.archive.chunk;

import org.jspecify.annotations.NullMarked;
