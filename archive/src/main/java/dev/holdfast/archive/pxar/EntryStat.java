package dev.holdfast.archive.pxar;

/**
 * What every entry but a hard link carries.
 *
 * @param mode the whole {@code st_mode}: type and permission bits; an archive may hold other bits too, which a restore
 *     refuses
 * @param flags file attribute bits, see {@link EntryFlags}; unknown bits are kept and ignored
 * @param uid 0 to 2^32 − 1
 * @param gid 0 to 2^32 − 1
 */
public record EntryStat(long mode, long flags, long uid, long gid, EntryTime mtime) {

    public static final int TYPE_MASK = 0170000;
    public static final int SOCKET = 0140000;
    public static final int SYMLINK = 0120000;
    public static final int REGULAR = 0100000;
    public static final int BLOCK_DEVICE = 0060000;
    public static final int DIRECTORY = 0040000;
    public static final int CHARACTER_DEVICE = 0020000;
    public static final int FIFO = 0010000;

    private static final long MAX_ID = 0xffffffffL;

    public EntryStat {
        if (uid < 0 || uid > MAX_ID || gid < 0 || gid > MAX_ID) {
            throw new IllegalArgumentException("uid and gid must be 0 to 4294967295: " + uid + ", " + gid);
        }
    }

    /** The type bits of the mode. */
    public int type() {
        return (int) (mode & TYPE_MASK);
    }

    /** Permission bits with setuid, setgid and sticky. */
    public int permissions() {
        return (int) (mode & 07777);
    }
}
