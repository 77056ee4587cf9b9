package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The door on Linux, by jnr-ffi.
 *
 * <p>Paths are handed to the kernel as the UTF-8 bytes of {@code path.toString()}, whatever the locale of the process. A
 * name that is not UTF-8 cannot be carried by a {@link Path} reliably; reach it by the bytes that
 * {@link DirectoryHandle#next()} gives.
 */
public final class JnrPosixFiles implements PosixFiles {

    private static final Path ACCOUNTS = Path.of("/etc/passwd");

    final Linux linux;

    private JnrPosixFiles(Linux linux) {
        this.linux = linux;
    }

    /** Binds once per process; the C library is one per process as well. */
    private static final class Bound {

        static final @Nullable PosixFiles FILES;
        static final @Nullable UnsatisfiedLinkError FAILURE;

        static {
            PosixFiles files = null;
            UnsatisfiedLinkError failure = null;
            try {
                files = new JnrPosixFiles(Linux.bind());
            } catch (UnsatisfiedLinkError e) {
                failure = e;
            }
            FILES = files;
            FAILURE = failure;
        }
    }

    /**
     * Binds the native library; the result is shared by the whole process.
     *
     * @throws UnsatisfiedLinkError if the native library or one of its functions cannot be bound
     */
    public static PosixFiles load() {
        PosixFiles files = Bound.FILES;
        if (files == null) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                    Bound.FAILURE == null ? "the native calls cannot be bound" : Bound.FAILURE.getMessage());
            error.initCause(Bound.FAILURE);
            throw error;
        }
        return files;
    }

    @Override
    public DirectoryHandle openDirectory(Path path) throws PosixException {
        int fd = linux.openDirectory(Linux.AT_FDCWD, Linux.bytes(path));
        if (fd < 0) {
            throw linux.failure("open", path.toString());
        }
        return new JnrDirectory(linux, fd, path.toString());
    }

    @Override
    public ReadableFile openForReading(Path path) throws PosixException {
        int fd = linux.openForReading(Linux.AT_FDCWD, Linux.bytes(path));
        if (fd < 0) {
            throw linux.failure("open", path.toString());
        }
        return new JnrReadableFile(linux, fd, path.toString());
    }

    @Override
    public WritableFile create(Path path, int mode) throws PosixException {
        return new JnrWritableFile(linux, createExactly(path, Linux.O_WRONLY, mode), path.toString());
    }

    @Override
    public LockHandle openLock(Path path, int mode) throws PosixException {
        byte[] bytes = Linux.bytes(path);
        while (true) {
            int flags = Linux.O_RDWR | Linux.O_APPEND | Linux.O_NOCTTY | Linux.O_NONBLOCK;
            int fd = linux.open(Linux.AT_FDCWD, bytes, flags, 0);
            if (fd < 0 && linux.errno() == Errno.ENOENT.number()) {
                try {
                    fd = createExactly(path, flags, mode);
                } catch (PosixException e) {
                    if (e.errno() == Errno.EEXIST && !isDanglingLink(path)) {
                        continue; // another process was faster
                    }
                    throw e;
                }
            }
            if (fd < 0) {
                throw linux.failure("open", path.toString());
            }
            return new JnrLock(linux, fd, path.toString());
        }
    }

    private boolean isDanglingLink(Path path) throws PosixException {
        FileStat stat = new FileStat();
        return stat(path, false, stat) && stat.type() == FileType.SYMLINK && !stat(path, true, stat);
    }

    /** Creates with exactly this mode: the umask is undone by fchmod, since asking for it would change it. */
    private int createExactly(Path path, int flags, int mode) throws PosixException {
        byte[] bytes = Linux.bytes(path);
        int fd = linux.open(
                Linux.AT_FDCWD,
                bytes,
                flags | Linux.O_CREAT | Linux.O_EXCL | Linux.O_NOCTTY | linux.noFollowFlag,
                mode);
        if (fd < 0) {
            throw linux.failure("create", path.toString());
        }
        if (linux.calls.fchmod(fd, mode) < 0) {
            PosixException failure = linux.failure("fchmod", path.toString());
            PosixException closing = linux.close(fd, path.toString());
            if (closing != null) {
                failure.addSuppressed(closing);
            }
            undo(failure, linux.calls.unlinkat(Linux.AT_FDCWD, bytes, 0), "unlink", path);
            throw failure;
        }
        return fd;
    }

    private void undo(PosixException failure, int result, String call, Path path) {
        if (result < 0) {
            failure.addSuppressed(linux.failure(call, path.toString()));
        }
    }

    @Override
    public boolean makeDirectory(Path path, int mode) throws PosixException {
        byte[] bytes = Linux.bytes(path);
        if (linux.calls.mkdirat(Linux.AT_FDCWD, bytes, mode) < 0) {
            if (linux.errno() == Errno.EEXIST.number()) {
                return false;
            }
            throw linux.failure("mkdir", path.toString());
        }
        if (linux.calls.fchmodat(Linux.AT_FDCWD, bytes, mode, 0) < 0) {
            PosixException failure = linux.failure("fchmodat", path.toString());
            undo(failure, linux.calls.unlinkat(Linux.AT_FDCWD, bytes, Linux.AT_REMOVEDIR), "rmdir", path);
            throw failure;
        }
        return true;
    }

    @Override
    public boolean stat(Path path, boolean followLinks, FileStat into) throws PosixException {
        int flags = followLinks ? 0 : Linux.AT_SYMLINK_NOFOLLOW;
        return answer(linux.stat(Linux.AT_FDCWD, Linux.bytes(path), flags, into), Errno.ENOENT, "statx", path);
    }

    @Override
    public boolean touch(Path path) throws PosixException {
        return answer(linux.touch(Linux.AT_FDCWD, Linux.bytes(path)), Errno.ENOENT, "utimensat", path);
    }

    @Override
    public boolean touch(byte[] path) throws PosixException {
        if (linux.touch(Linux.AT_FDCWD, path) == 0) {
            return true;
        }
        if (linux.errno() == Errno.ENOENT.number()) {
            return false;
        }
        throw linux.failure("utimensat", new String(path, StandardCharsets.UTF_8));
    }

    @Override
    public void changeOwner(Path path, int uid, int gid) throws PosixException {
        require(
                linux.calls.fchownat(Linux.AT_FDCWD, Linux.bytes(path), uid, gid, Linux.AT_SYMLINK_NOFOLLOW),
                "fchownat",
                path);
    }

    @Override
    public void changeMode(Path path, int mode) throws PosixException {
        require(linux.calls.fchmodat(Linux.AT_FDCWD, Linux.bytes(path), mode, 0), "fchmodat", path);
    }

    @Override
    public boolean unlink(Path path) throws PosixException {
        return answer(linux.calls.unlinkat(Linux.AT_FDCWD, Linux.bytes(path), 0), Errno.ENOENT, "unlink", path);
    }

    @Override
    public boolean removeDirectory(Path path) throws PosixException {
        return answer(
                linux.calls.unlinkat(Linux.AT_FDCWD, Linux.bytes(path), Linux.AT_REMOVEDIR),
                Errno.ENOENT,
                "rmdir",
                path);
    }

    @Override
    public void rename(Path from, Path to) throws PosixException {
        int result = linux.calls.renameat(Linux.AT_FDCWD, Linux.bytes(from), Linux.AT_FDCWD, Linux.bytes(to));
        if (result < 0) {
            throw linux.failure("rename", from + " -> " + to);
        }
    }

    @Override
    public boolean link(Path existing, Path name) throws PosixException {
        int result = linux.calls.linkat(Linux.AT_FDCWD, Linux.bytes(existing), Linux.AT_FDCWD, Linux.bytes(name), 0);
        if (result < 0 && linux.errno() != Errno.EEXIST.number()) {
            throw linux.failure("link", existing + " -> " + name);
        }
        return result == 0;
    }

    @Override
    public void truncate(Path path, long size) throws PosixException {
        byte[] bytes = Linux.bytes(path);
        int result;
        do {
            result = linux.calls.truncate(bytes, size);
        } while (result < 0 && linux.interrupted());
        require(result, "truncate", path);
    }

    @Override
    public void syncFilesystem(Path path) throws PosixException {
        int fd = linux.openForReading(Linux.AT_FDCWD, Linux.bytes(path));
        if (fd < 0) {
            throw linux.failure("open", path.toString());
        }
        PosixException failure = linux.calls.syncfs(fd) < 0 ? linux.failure("syncfs", path.toString()) : null;
        PosixException closing = linux.close(fd, path.toString());
        if (failure != null) {
            throw failure;
        }
        if (closing != null) {
            throw closing;
        }
    }

    @Override
    public FilesystemSpace space(Path path) throws PosixException {
        Pointer m = linux.scratchMemory();
        require(linux.calls.statvfs(Linux.bytes(path), m), "statvfs", path);
        long unit = m.getLong(8);
        return new FilesystemSpace(unit * m.getLong(16), unit * m.getLong(32), m.getLong(40), m.getLong(56));
    }

    @Override
    public int effectiveUid() {
        return linux.calls.geteuid();
    }

    @Override
    public int effectiveGid() {
        return linux.calls.getegid();
    }

    @Override
    public int @Nullable [] account(String name) throws PosixException {
        return AccountFile.find(this, ACCOUNTS, name);
    }

    /** True for success, false for the one errno that is an answer, an exception for every other. */
    private boolean answer(int result, Errno absent, String call, Path path) throws PosixException {
        if (result >= 0) {
            return true;
        }
        if (linux.errno() == absent.number()) {
            return false;
        }
        throw linux.failure(call, path.toString());
    }

    private void require(int result, String call, Path path) throws PosixException {
        if (result < 0) {
            throw linux.failure(call, path.toString());
        }
    }
}
