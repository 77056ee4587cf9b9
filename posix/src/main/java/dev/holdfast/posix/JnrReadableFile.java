package dev.holdfast.posix;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file open for reading, by a descriptor. A close during a read takes effect when the read has ended: the number of a
 * closed descriptor may at once belong to another file, whose bytes the read would return.
 */
final class JnrReadableFile implements ReadableFile {

    private static final int CLOSED = 1 << 30;

    /** Most that Linux reads in one call, in bytes. */
    private static final int MAX_READ = 0x7ffff000;

    private final Linux linux;
    private final int fd;
    private final String path;

    /** Calls under way, plus {@link #CLOSED} once close was called. */
    private final AtomicInteger users = new AtomicInteger();

    JnrReadableFile(Linux linux, int fd, String path) {
        this.linux = linux;
        this.fd = fd;
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        enter();
        try {
            linux.stat(fd, path, into);
        } finally {
            leave();
        }
    }

    @Override
    public long size() throws PosixException {
        FileStat stat = new FileStat();
        stat(stat);
        return stat.size();
    }

    @Override
    public int read(long position, ByteBuffer into) throws PosixException {
        enter();
        try {
            int total = 0;
            while (into.hasRemaining()) {
                long count = linux.calls.pread(fd, into, Math.min(into.remaining(), MAX_READ), position + total);
                if (count < 0) {
                    if (linux.interrupted()) {
                        continue;
                    }
                    throw linux.failure("pread", path);
                }
                if (count == 0) {
                    break;
                }
                into.position(into.position() + (int) count);
                total += (int) count;
            }
            return total;
        } finally {
            leave();
        }
    }

    @Override
    public void close() {
        int before = users.getAndUpdate(count -> count | CLOSED);
        if (before == 0) {
            closeDescriptor();
        }
    }

    private void enter() throws PosixException {
        int before;
        do {
            before = users.get();
            if ((before & CLOSED) != 0) {
                throw new PosixException("use after close", path, Errno.EBADF.number());
            }
        } while (!users.compareAndSet(before, before + 1));
    }

    private void leave() {
        if (users.decrementAndGet() == CLOSED) {
            closeDescriptor();
        }
    }

    private void closeDescriptor() {
        // Nothing was written through this descriptor, so its close has nothing to tell.
        var unused = linux.close(fd, path);
    }
}
