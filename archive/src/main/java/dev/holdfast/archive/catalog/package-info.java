/**
 * The catalogue {@code catalog.pcat1}: the names of all pxar archives of a snapshot, for browsing without reading the
 * archives themselves.
 */
@NullMarked
package dev.holdfast.archive.catalog;

import org.jspecify.annotations.NullMarked;
