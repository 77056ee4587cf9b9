package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;

/**
 * One entry of a directory.
 *
 * @param name the bytes of the name; do not modify
 * @param inode its inode number, as the listing told it
 * @param type its type, {@link FileType#UNKNOWN} where the filesystem does not tell
 */
public record DirectoryEntry(byte[] name, long inode, FileType type) {

    /** The name as UTF-8, malformed bytes replaced; good for matching ASCII patterns and for messages. */
    public String text() {
        return new String(name, StandardCharsets.UTF_8);
    }
}
