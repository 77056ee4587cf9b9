package dev.holdfast.archive.catalog;

import java.nio.charset.StandardCharsets;

/**
 * One entry of a catalogue.
 *
 * @param name bytes; do not modify
 * @param size of a regular file, in bytes, unsigned; 0 for others
 * @param mtime of a regular file, seconds since 1970-01-01 UTC; 0 for others
 * @param block position of a directory's block; 0 for others
 */
public record CatalogEntry(CatalogType type, byte[] name, long size, long mtime, long block) {

    /** The name as UTF-8, malformed bytes replaced, for messages. */
    public String text() {
        return new String(name, StandardCharsets.UTF_8);
    }
}
