/**
 * Reading and checking what snapshots refer to: manifests, blobs, indexes, chunks. Three results are kept apart: damaged
 * (confirmed by a second read, and only then set aside), missing, and unreadable (an I/O error says nothing about the
 * data).
 */
@NullMarked
package dev.holdfast.datastore.verify;

import org.jspecify.annotations.NullMarked;
