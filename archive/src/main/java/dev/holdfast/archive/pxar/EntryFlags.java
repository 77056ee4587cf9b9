package dev.holdfast.archive.pxar;

/**
 * The file attribute bits of an entry and the bits of the Linux attribute call that they stand for. The FAT attributes,
 * which the format knows too, are kept in an archive but neither collected nor applied.
 */
public final class EntryFlags {

    /** Pairs of entry bit and Linux {@code FS_…_FL} bit. */
    private static final long[][] PAIRS = {
        {0x1_0000L, 0x20L}, // append only
        {0x2_0000L, 0x80L}, // no atime
        {0x4_0000L, 0x4L}, // compress
        {0x8_0000L, 0x80_0000L}, // no copy-on-write
        {0x10_0000L, 0x40L}, // no dump
        {0x20_0000L, 0x1_0000L}, // synchronous directory
        {0x40_0000L, 0x10L}, // immutable
        {0x80_0000L, 0x8L}, // synchronous
        {0x100_0000L, 0x400L}, // do not compress
        {0x200_0000L, 0x2000_0000L}, // inherit project id
    };

    private EntryFlags() {}

    /** Entry bits for the attribute bits of a file. */
    public static long fromLinux(long attributes) {
        long flags = 0;
        for (long[] pair : PAIRS) {
            if ((attributes & pair[1]) != 0) {
                flags |= pair[0];
            }
        }
        return flags;
    }

    /** Attribute bits for entry bits; unknown ones are left out. */
    public static long toLinux(long flags) {
        long attributes = 0;
        for (long[] pair : PAIRS) {
            if ((flags & pair[0]) != 0) {
                attributes |= pair[1];
            }
        }
        return attributes;
    }
}
