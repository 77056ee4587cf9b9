/** From a directory tree on disk to an archive and back: the walk, excludes, metadata, and a restore that stays inside. */
@NullMarked
package dev.holdfast.archive.tree;

import org.jspecify.annotations.NullMarked;
