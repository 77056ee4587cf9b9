package dev.holdfast.posix;

/**
 * Who owns the files of a store: a process that runs as root gives what it makes to this user.
 *
 * @param uid user, or -1 to leave files to whoever runs the process
 * @param gid group, or -1
 */
public record FileOwner(int uid, int gid) {

    /** Leaves files to whoever runs the process. */
    public static final FileOwner UNCHANGED = new FileOwner(-1, -1);
}
