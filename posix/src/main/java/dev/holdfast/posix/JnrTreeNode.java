package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * An inode by a descriptor, which may be one without any right ({@code O_PATH}). Such a descriptor serves few calls, but
 * its name below {@code /proc/self/fd} leads to the inode itself, a link's inode included, and serves the others.
 */
class JnrTreeNode implements TreeNode {

    private static final int FIRST_TRY = 512;

    /** Linux's bound for a value and for a list of names. */
    private static final int MOST = 1 << 16;

    private static final int PATH_BYTES = 4096;
    private static final int ERANGE = 34;
    private static final int ENOTTY = 25;
    private static final int ENOSYS = 38;
    private static final long UTIME_OMIT = 0x3ffffffe;
    private static final long FS_IOC_GETFLAGS = 0x80086601L;
    private static final long FS_IOC_SETFLAGS = 0x40086602L;
    private static final long FS_IOC_FSGETXATTR = 0x801c581fL;
    private static final long FS_IOC_FSSETXATTR = 0x401c5820L;

    /** Place of the project id in {@code struct fsxattr}. */
    private static final int FSX_PROJID = 12;

    private static final byte[] EMPTY = {};

    final Linux linux;
    final TreeCalls calls;
    private final String path;
    private int fd;

    JnrTreeNode(Linux linux, TreeCalls calls, int fd, String path) {
        this.linux = linux;
        this.calls = calls;
        this.fd = fd;
        this.path = path;
    }

    final int fd() throws PosixException {
        if (fd < 0) {
            throw new PosixException("use after close", path, Errno.EBADF.number());
        }
        return fd;
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public final void stat(FileStat into) throws PosixException {
        linux.stat(fd(), path, into);
    }

    @Override
    public final byte[] readLink() throws PosixException {
        byte[] target = new byte[PATH_BYTES];
        long length = calls.readlinkat(fd(), EMPTY, target, target.length);
        if (length < 0) {
            throw linux.failure("readlinkat", path);
        }
        return Arrays.copyOf(target, (int) length);
    }

    @Override
    public final List<byte[]> xattrNames() throws PosixException {
        byte[] self = self();
        byte[] list = new byte[FIRST_TRY];
        long length = calls.listxattr(self, list, list.length);
        if (length < 0 && linux.errno() == ERANGE) {
            list = new byte[MOST];
            length = calls.listxattr(self, list, list.length);
        }
        if (length < 0) {
            if (linux.errno() == Errno.EOPNOTSUPP.number()) {
                return List.of();
            }
            throw linux.failure("listxattr", path);
        }
        List<byte[]> names = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < length; at++) {
            if (list[at] == 0) {
                names.add(Arrays.copyOfRange(list, from, at));
                from = at + 1;
            }
        }
        return names;
    }

    @Override
    public final byte @Nullable [] xattr(byte[] name) throws PosixException {
        byte[] self = self();
        byte[] value = new byte[FIRST_TRY];
        long length = calls.getxattr(self, name, value, value.length);
        if (length < 0 && linux.errno() == ERANGE) {
            value = new byte[MOST];
            length = calls.getxattr(self, name, value, value.length);
        }
        if (length < 0) {
            if (isNoAttribute()) {
                return null;
            }
            throw linux.failure("getxattr", path);
        }
        return Arrays.copyOf(value, (int) length);
    }

    @Override
    public final void setXattr(byte[] name, byte[] value) throws PosixException {
        // An empty array has no address that jnr-ffi could pass; the length says what counts.
        byte[] passed = value.length == 0 ? new byte[1] : value;
        require(calls.setxattr(self(), name, passed, value.length, 0), "setxattr");
    }

    @Override
    public final boolean removeXattr(byte[] name) throws PosixException {
        if (calls.removexattr(self(), name) == 0) {
            return true;
        }
        if (isNoAttribute()) {
            return false;
        }
        throw linux.failure("removexattr", path);
    }

    private boolean isNoAttribute() {
        int errno = linux.errno();
        return errno == Errno.ENODATA.number() || errno == Errno.EOPNOTSUPP.number();
    }

    @Override
    public final void changeOwner(int uid, int gid) throws PosixException {
        require(linux.calls.fchownat(fd(), EMPTY, uid, gid, Linux.AT_EMPTY_PATH), "fchownat");
    }

    @Override
    public final void changeMode(int mode) throws PosixException {
        require(linux.calls.fchmodat(Linux.AT_FDCWD, self(), mode, 0), "fchmodat");
    }

    @Override
    public final void changeTime(long seconds, int nanos) throws PosixException {
        Pointer times = linux.scratchMemory();
        times.putLong(0, 0);
        times.putLong(8, UTIME_OMIT);
        times.putLong(16, seconds);
        times.putLong(24, nanos);
        require(linux.calls.utimensat(Linux.AT_FDCWD, self(), times, 0), "utimensat");
    }

    @Override
    public final int attributes() throws PosixException {
        return hasAttributes(FS_IOC_GETFLAGS) ? linux.scratchMemory().getInt(0) : 0;
    }

    @Override
    public final void addAttributes(int attributes) throws PosixException {
        Pointer word = linux.scratchMemory();
        require(calls.ioctl(fd(), FS_IOC_GETFLAGS, word), "ioctl FS_IOC_GETFLAGS");
        word.putInt(0, word.getInt(0) | attributes);
        require(calls.ioctl(fd(), FS_IOC_SETFLAGS, word), "ioctl FS_IOC_SETFLAGS");
    }

    @Override
    public final int projectId() throws PosixException {
        return hasAttributes(FS_IOC_FSGETXATTR) ? linux.scratchMemory().getInt(FSX_PROJID) : 0;
    }

    @Override
    public final void changeProjectId(int projectId) throws PosixException {
        Pointer structure = linux.scratchMemory();
        require(calls.ioctl(fd(), FS_IOC_FSGETXATTR, structure), "ioctl FS_IOC_FSGETXATTR");
        structure.putInt(FSX_PROJID, projectId);
        require(calls.ioctl(fd(), FS_IOC_FSSETXATTR, structure), "ioctl FS_IOC_FSSETXATTR");
    }

    /** Asks into the scratch memory. @return false if the filesystem does not know the question */
    private boolean hasAttributes(long request) throws PosixException {
        if (calls.ioctl(fd(), request, linux.scratchMemory()) == 0) {
            return true;
        }
        int errno = linux.errno();
        if (errno == ENOTTY
                || errno == ENOSYS
                || errno == Errno.EOPNOTSUPP.number()
                || errno == Errno.EINVAL.number()) {
            return false;
        }
        throw linux.failure("ioctl", path);
    }

    @Override
    public void close() {
        if (fd >= 0) {
            // An error of close has nothing to tell here: what must be durable is synced by the caller.
            var unused = linux.close(fd, path);
            forget();
        }
    }

    final void forget() {
        fd = -1;
    }

    final void require(int result, String call) throws PosixException {
        if (result < 0) {
            throw linux.failure(call, path);
        }
    }

    private byte[] self() throws PosixException {
        return ("/proc/self/fd/" + fd()).getBytes(StandardCharsets.US_ASCII);
    }
}
