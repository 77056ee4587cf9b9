package dev.holdfast.posix;

/**
 * The result of a stat call, in fields that a caller may reuse: one instance serves millions of calls. Not safe for use
 * by more than one thread.
 */
public final class FileStat {

    private long device;
    private long inode;
    private int mode;
    private long links;
    private int uid;
    private int gid;
    private long rdev;
    private long size;
    private long accessSeconds;
    private int accessNanos;
    private long modifySeconds;
    private int modifyNanos;
    private long changeSeconds;
    private int changeNanos;

    /** Sets all fields; the implementation of the door, and fault injectors, call this. */
    public void set(long[] v) {
        device = v[0];
        inode = v[1];
        mode = (int) v[2];
        links = v[3];
        uid = (int) v[4];
        gid = (int) v[5];
        rdev = v[6];
        size = v[7];
        accessSeconds = v[8];
        accessNanos = (int) v[9];
        modifySeconds = v[10];
        modifyNanos = (int) v[11];
        changeSeconds = v[12];
        changeNanos = (int) v[13];
    }

    public long device() {
        return device;
    }

    public long inode() {
        return inode;
    }

    /** The whole {@code st_mode}: type and permission bits. */
    public int mode() {
        return mode;
    }

    /** The nine permission bits. */
    public int permissions() {
        return mode & 0777;
    }

    public FileType type() {
        return FileType.ofMode(mode);
    }

    public long links() {
        return links;
    }

    public int uid() {
        return uid;
    }

    public int gid() {
        return gid;
    }

    public long rdev() {
        return rdev;
    }

    /** Length in bytes. */
    public long size() {
        return size;
    }

    /** Access time, whole Unix seconds. */
    public long accessSeconds() {
        return accessSeconds;
    }

    /** Access time, nanoseconds within the second. */
    public int accessNanos() {
        return accessNanos;
    }

    public long modifySeconds() {
        return modifySeconds;
    }

    public int modifyNanos() {
        return modifyNanos;
    }

    public long changeSeconds() {
        return changeSeconds;
    }

    public int changeNanos() {
        return changeNanos;
    }
}
