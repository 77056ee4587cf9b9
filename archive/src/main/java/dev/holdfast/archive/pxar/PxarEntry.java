package dev.holdfast.archive.pxar;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an archive.
 *
 * @param name bytes of the name, empty for the root, never {@code .} or {@code ..}, without slash and NUL; do not modify
 * @param place where it stands
 * @param metadataOrNull null for a hard link and for nothing else
 */
public record PxarEntry(byte[] name, Place place, @Nullable EntryMetadata metadataOrNull, EntryBody body) {

    /**
     * Positions in the archive, in the metadata stream for version 2.
     *
     * @param filename of the FILENAME header, -1 for the root
     * @param entry of the ENTRY or HARDLINK header
     * @param end behind the last record of the entry; -1 where it is not known yet: a directory while reading from the
     *     front
     */
    public record Place(long filename, long entry, long end) {}

    public EntryKind kind() {
        if (body instanceof EntryBody.Directory) {
            return EntryKind.DIRECTORY;
        } else if (body instanceof EntryBody.File) {
            return EntryKind.FILE;
        } else if (body instanceof EntryBody.Symlink) {
            return EntryKind.SYMLINK;
        } else if (body instanceof EntryBody.HardLink) {
            return EntryKind.HARD_LINK;
        } else if (body instanceof EntryBody.Device) {
            return metadata().stat().type() == EntryStat.BLOCK_DEVICE
                    ? EntryKind.BLOCK_DEVICE
                    : EntryKind.CHARACTER_DEVICE;
        }
        return metadata().stat().type() == EntryStat.FIFO ? EntryKind.FIFO : EntryKind.SOCKET;
    }

    /** @throws IllegalStateException for a hard link, whose metadata is that of its target */
    public EntryMetadata metadata() {
        if (metadataOrNull == null) {
            throw new IllegalStateException("a hard link has no metadata of its own");
        }
        return metadataOrNull;
    }

    public boolean isRoot() {
        return place.filename < 0;
    }

    /** The name as UTF-8, malformed bytes replaced, for messages. */
    public String text() {
        return new String(name, StandardCharsets.UTF_8);
    }

    PxarEntry endingAt(long end) {
        return new PxarEntry(name, new Place(place.filename, place.entry, end), metadataOrNull, body);
    }
}
