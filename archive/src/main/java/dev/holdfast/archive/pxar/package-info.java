/**
 * The pxar format: a directory tree as one stream of records (version 1) or as a stream of metadata beside a stream of
 * contents (version 2). Decoding from the front, looking up from the end, and encoding. Names and targets are bytes.
 */
@NullMarked
package dev.holdfast.archive.pxar;

import org.jspecify.annotations.NullMarked;
