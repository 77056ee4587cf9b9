package dev.holdfast.posix;

import java.io.IOException;

/** A system call failed. Carries the call, the path and the error number, and says all three. */
public final class PosixException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String path;
    private final Errno errno;
    private final int number;

    public PosixException(String call, String path, int number) {
        super(path + ": " + Errno.of(number).text() + " ("
                + (Errno.of(number) == Errno.OTHER
                        ? "errno " + number
                        : Errno.of(number).name()) + ", " + call + ")");
        this.path = path;
        this.errno = Errno.of(number);
        this.number = number;
    }

    public String path() {
        return path;
    }

    public Errno errno() {
        return errno;
    }

    /** The raw error number, also where {@link #errno()} is {@link Errno#OTHER}. */
    public int number() {
        return number;
    }
}
