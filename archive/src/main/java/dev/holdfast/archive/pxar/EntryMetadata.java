package dev.holdfast.archive.pxar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an entry says about itself besides its name and contents.
 *
 * @param fcaps the bytes of {@code security.capability}; do not modify
 * @param projectId quota project
 */
public record EntryMetadata(
        EntryStat stat,
        List<Xattr> xattrs,
        Acl acl,
        byte @Nullable [] fcaps,
        @Nullable Long projectId) {

    public EntryMetadata {
        xattrs = List.copyOf(xattrs);
    }

    /** Metadata without attributes. */
    public static EntryMetadata of(EntryStat stat) {
        return new EntryMetadata(stat, List.of(), Acl.NONE, null, null);
    }
}
