package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A directory of a tree by a descriptor. */
final class JnrTreeDirectory extends JnrTreeNode implements TreeDirectory {

    private static final int O_PATH = 010000000;

    /** Shares the descriptor, and is closed in place of it, since it may hold a listing buffer. */
    private final JnrDirectory listing;

    JnrTreeDirectory(Linux linux, TreeCalls calls, int fd, String path) {
        super(linux, calls, fd, path);
        this.listing = new JnrDirectory(linux, fd, path);
    }

    @Override
    public @Nullable DirectoryEntry next() throws PosixException {
        return listing.next();
    }

    @Override
    public boolean stat(byte[] name, FileStat into) throws PosixException {
        return linux.stat(fd(), checked(name), Linux.AT_SYMLINK_NOFOLLOW, into) == 0 || absent("statx", name);
    }

    @Override
    public TreeDirectory openDirectory(byte[] name) throws PosixException {
        int flags = Linux.O_RDONLY | Linux.O_NONBLOCK | linux.directoryFlag | linux.noFollowFlag;
        int opened = linux.openQuietly(fd(), checked(name), flags);
        return new JnrTreeDirectory(linux, calls, opened(opened, name), pathOf(name));
    }

    @Override
    public TreeFile openFile(byte[] name) throws PosixException {
        int flags = Linux.O_RDONLY | Linux.O_NONBLOCK | Linux.O_NOCTTY | linux.noFollowFlag;
        int opened = linux.openQuietly(fd(), checked(name), flags);
        return new JnrTreeFile(linux, calls, opened(opened, name), pathOf(name));
    }

    @Override
    public TreeNode openNode(byte[] name) throws PosixException {
        int opened = linux.open(fd(), checked(name), O_PATH | linux.noFollowFlag, 0);
        return new JnrTreeNode(linux, calls, opened(opened, name), pathOf(name));
    }

    @Override
    public TreeFile createFile(byte[] name, int mode) throws PosixException {
        int flags = Linux.O_RDWR | Linux.O_CREAT | Linux.O_EXCL | Linux.O_NOCTTY | linux.noFollowFlag;
        int created = opened(linux.open(fd(), checked(name), flags, mode), name);
        JnrTreeFile file = new JnrTreeFile(linux, calls, created, pathOf(name));
        if (linux.calls.fchmod(created, mode) < 0) {
            PosixException failure = linux.failure("fchmod", pathOf(name));
            file.close();
            throw failure;
        }
        return file;
    }

    @Override
    public void makeDirectory(byte[] name, int mode) throws PosixException {
        require(linux.calls.mkdirat(fd(), checked(name), mode), "mkdirat", name);
    }

    @Override
    public void makeNode(byte[] name, int mode, int major, int minor) throws PosixException {
        require(calls.mknodat(fd(), checked(name), mode, Linux.device(major, minor)), "mknodat", name);
    }

    @Override
    public void makeLink(byte[] name, byte[] target) throws PosixException {
        require(calls.symlinkat(target, fd(), checked(name)), "symlinkat", name);
    }

    @Override
    public void hardLink(TreeDirectory from, byte[] existing, byte[] name) throws PosixException {
        int directory = ((JnrTreeDirectory) from).fd();
        require(linux.calls.linkat(directory, checked(existing), fd(), checked(name), 0), "linkat", name);
    }

    @Override
    public boolean unlink(byte[] name) throws PosixException {
        return linux.calls.unlinkat(fd(), checked(name), 0) == 0 || absent("unlinkat", name);
    }

    @Override
    public void close() {
        listing.close();
        forget();
    }

    private int opened(int result, byte[] name) throws PosixException {
        require(result, "openat", name);
        return result;
    }

    private void require(int result, String call, byte[] name) throws PosixException {
        if (result < 0) {
            throw linux.failure(call, pathOf(name));
        }
    }

    private boolean absent(String call, byte[] name) throws PosixException {
        if (linux.errno() == Errno.ENOENT.number()) {
            return false;
        }
        throw linux.failure(call, pathOf(name));
    }

    private String pathOf(byte[] name) {
        String text = new String(name, StandardCharsets.UTF_8);
        return path().endsWith("/") ? path() + text : path() + "/" + text;
    }

    /** What is not one component could lead out of the directory. */
    private static byte[] checked(byte[] name) {
        boolean dots = name.length > 0 && name[0] == '.' && (name.length == 1 || name.length == 2 && name[1] == '.');
        boolean bad = name.length == 0 || dots;
        for (byte b : name) {
            bad |= b == '/' || b == 0;
        }
        if (bad) {
            throw new IllegalArgumentException(
                    "not a name of one component: '" + new String(name, StandardCharsets.UTF_8) + "'");
        }
        return name;
    }
}
