package dev.holdfast.posix;

/** The error numbers that callers tell apart (Linux values); every other one is {@link #OTHER}. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    EBADF(9, "bad descriptor"),
    EAGAIN(11, "held by another process"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EBUSY(16, "device or resource busy"),
    EEXIST(17, "file exists"),
    EXDEV(18, "not on the same filesystem"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files in this process"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left on the filesystem"),
    EROFS(30, "filesystem is mounted read-only"),
    ENAMETOOLONG(36, "name too long"),
    ENOTEMPTY(39, "directory not empty"),
    ELOOP(40, "is a symbolic link, or too many of them"),
    ENODATA(61, "no such attribute"),
    EOPNOTSUPP(95, "not supported by this filesystem"),
    ESTALE(116, "stale file handle"),
    EDQUOT(122, "disk quota exceeded"),
    OTHER(-1, "error");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public static Errno of(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno;
            }
        }
        return OTHER;
    }

    public int number() {
        return number;
    }

    /** What the number means, in lower case, for use inside a sentence. */
    public String text() {
        return text;
    }
}
