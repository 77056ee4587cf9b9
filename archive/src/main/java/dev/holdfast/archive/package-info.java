/** Client-side pieces: chunkers, pxar archives, catalogues, and what turns files and images into chunk streams. */
@NullMarked
package dev.holdfast.archive;

import org.jspecify.annotations.NullMarked;
