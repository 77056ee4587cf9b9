package dev.holdfast.posix;

import java.nio.file.Path;
import jnr.ffi.LibraryLoader;

/** The door to trees on Linux, by jnr-ffi. */
public final class JnrTreeFiles implements TreeFiles {

    private final Linux linux;
    private final TreeCalls calls;

    private JnrTreeFiles(Linux linux, TreeCalls calls) {
        this.linux = linux;
        this.calls = calls;
    }

    /**
     * Binds the native library.
     *
     * @throws UnsatisfiedLinkError if the native library or one of its functions cannot be bound
     */
    public static TreeFiles load() {
        Linux.requireFunctions(TreeCalls.class, "libc.so.6");
        Linux linux = ((JnrPosixFiles) JnrPosixFiles.load()).linux;
        return new JnrTreeFiles(
                linux, LibraryLoader.create(TreeCalls.class).failImmediately().load("c"));
    }

    @Override
    public TreeDirectory openRoot(Path path) throws PosixException {
        int fd = linux.openDirectory(Linux.AT_FDCWD, Linux.bytes(path));
        if (fd < 0) {
            throw linux.failure("open", path.toString());
        }
        return new JnrTreeDirectory(linux, calls, fd, path.toString());
    }

    @Override
    public TreeDirectory makeRoot(Path path) throws PosixException {
        if (linux.calls.mkdirat(Linux.AT_FDCWD, Linux.bytes(path), 0700) < 0
                && linux.errno() != Errno.EEXIST.number()) {
            throw linux.failure("mkdir", path.toString());
        }
        return openRoot(path);
    }
}
