package dev.holdfast.posix;

/** The door on Linux, by jnr-ffi. */
public final class JnrPosixFiles {

    private JnrPosixFiles() {}

    /**
     * Binds the native library; the result is shared by the whole process.
     *
     * @throws UnsatisfiedLinkError if the native library or one of its functions cannot be bound
     */
    public static PosixFiles load() {
        throw new UnsupportedOperationException("skeleton");
    }
}
