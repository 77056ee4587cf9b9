package dev.holdfast.engine.job;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a directory archive, as a listing shows it. What the source of the listing does not know is null: a
 * catalogue knows size and time of regular files alone.
 *
 * @param path from the root of the archive, without leading slash; bytes that are no UTF-8 are replaced
 * @param type {@code directory}, {@code file}, {@code symlink}, {@code hard-link}, {@code block-device},
 *     {@code character-device}, {@code fifo} or {@code socket}
 * @param size of a regular file, bytes
 * @param mtime seconds since 1970-01-01 UTC
 * @param mode permission bits in octal, for example {@code 0644}
 * @param target of a symbolic link, or path of the file that a hard link names
 */
public record TreeItem(
        String path,
        String type,
        @Nullable Long size,
        @Nullable Long mtime,
        @Nullable String mode,
        @Nullable Long uid,
        @Nullable Long gid,
        @Nullable String target) {}
