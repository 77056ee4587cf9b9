package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An open directory by a descriptor. Only the listing has state between calls. */
final class JnrDirectory implements DirectoryHandle {

    private final Linux linux;
    private final String path;
    private int fd;

    private Linux.@Nullable ListingBuffer listing;
    private int position;
    private int end;

    JnrDirectory(Linux linux, int fd, String path) {
        this.linux = linux;
        this.fd = fd;
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public DirectoryHandle openDirectory(byte[] name) throws PosixException {
        int opened = linux.openDirectory(open(), checked(name));
        if (opened < 0) {
            throw failure("openat", name);
        }
        return new JnrDirectory(linux, opened, pathOf(name));
    }

    @Override
    public boolean touch(byte[] name) throws PosixException {
        return linux.touch(open(), checked(name)) == 0 || absent("utimensat", name);
    }

    @Override
    public boolean stat(byte[] name, FileStat into) throws PosixException {
        return linux.stat(open(), checked(name), Linux.AT_SYMLINK_NOFOLLOW, into) == 0 || absent("statx", name);
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        linux.stat(open(), path, into);
    }

    @Override
    public ReadableFile openForReading(byte[] name) throws PosixException {
        int opened = linux.openForReading(open(), checked(name));
        if (opened < 0) {
            throw failure("openat", name);
        }
        return new JnrReadableFile(linux, opened, pathOf(name));
    }

    @Override
    public boolean unlink(byte[] name) throws PosixException {
        return linux.calls.unlinkat(open(), checked(name), 0) == 0 || absent("unlinkat", name);
    }

    @Override
    public void rename(byte[] from, byte[] to) throws PosixException {
        int directory = open();
        if (linux.calls.renameat(directory, checked(from), directory, checked(to)) < 0) {
            throw linux.failure("renameat", pathOf(from) + " -> " + text(to));
        }
    }

    @Override
    public @Nullable DirectoryEntry next() throws PosixException {
        int directory = open();
        Linux.ListingBuffer buffer = listing;
        if (buffer == null) {
            buffer = linux.borrowListingBuffer();
            listing = buffer;
        }
        while (true) {
            if (position >= end) {
                long count;
                do {
                    count = linux.calls.getdents64(directory, buffer.memory, buffer.bytes.length);
                } while (count < 0 && linux.interrupted());
                if (count < 0) {
                    throw linux.failure("getdents64", path);
                }
                position = 0;
                end = (int) count;
                if (count == 0) {
                    return null;
                }
                buffer.memory.get(0, buffer.bytes, 0, end);
            }
            DirectoryEntry entry = Dirent.decode(buffer.bytes, position);
            position += Dirent.length(buffer.bytes, position);
            if (entry != null) {
                return entry;
            }
        }
    }

    @Override
    public void rewind() throws PosixException {
        if (linux.calls.lseek(open(), 0, 0) < 0) {
            throw linux.failure("lseek", path);
        }
        position = 0;
        end = 0;
    }

    @Override
    public void fsync() throws PosixException {
        int directory = open();
        int result;
        do {
            result = linux.calls.fsync(directory);
        } while (result < 0 && linux.interrupted());
        if (result < 0) {
            throw linux.failure("fsync", path);
        }
    }

    @Override
    public void close() {
        if (fd >= 0) {
            // Nothing was written through this descriptor, so its close has nothing to tell.
            var unused = linux.close(fd, path);
            fd = -1;
            if (listing != null) {
                linux.returnListingBuffer(listing);
                listing = null;
            }
        }
    }

    private int open() throws PosixException {
        if (fd < 0) {
            throw new PosixException("use after close", path, Errno.EBADF.number());
        }
        return fd;
    }

    /** A zero byte would end the name early, and a leading slash would leave this directory. */
    private static byte[] checked(byte[] name) {
        if (name.length > 0 && name[0] == '/') {
            throw new IllegalArgumentException("not relative: " + text(name));
        }
        for (byte b : name) {
            if (b == 0) {
                throw new IllegalArgumentException("a name with a zero byte: " + text(name));
            }
        }
        return name;
    }

    private boolean absent(String call, byte[] name) throws PosixException {
        if (linux.errno() == Errno.ENOENT.number()) {
            return false;
        }
        throw failure(call, name);
    }

    private PosixException failure(String call, byte[] name) {
        return linux.failure(call, pathOf(name));
    }

    private String pathOf(byte[] name) {
        return path.endsWith("/") ? path + text(name) : path + "/" + text(name);
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    /** The structure {@code linux_dirent64}: inode 0-7, offset 8-15, length 16-17, type 18, name from 19 to a zero. */
    static final class Dirent {

        private Dirent() {}

        static int length(byte[] buffer, int at) {
            return (buffer[at + 16] & 0xff) | (buffer[at + 17] & 0xff) << 8;
        }

        static @Nullable DirectoryEntry decode(byte[] buffer, int at) {
            int from = at + 19;
            int to = from;
            while (buffer[to] != 0) {
                to++;
            }
            int length = to - from;
            if (buffer[from] == '.' && (length == 1 || (length == 2 && buffer[from + 1] == '.'))) {
                return null;
            }
            long inode = 0;
            for (int i = 7; i >= 0; i--) {
                inode = inode << 8 | (buffer[at + i] & 0xff);
            }
            // The type byte is the upper four bits of a st_mode.
            return new DirectoryEntry(
                    Arrays.copyOfRange(buffer, from, to), inode, FileType.ofMode((buffer[at + 18] & 0xff) << 12));
        }
    }
}
