package dev.holdfast.posix;

import java.nio.ByteBuffer;

/** A file open for writing, by a descriptor. One thread at a time. */
final class JnrWritableFile implements WritableFile {

    private static final int MAX_WRITE = 0x7ffff000;

    private static final int COPY_BYTES = 64 * 1024;

    private final Linux linux;
    private final String path;
    private int fd;

    JnrWritableFile(Linux linux, int fd, String path) {
        this.linux = linux;
        this.fd = fd;
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void write(long position, ByteBuffer from) throws PosixException {
        int open = open();
        long at = position;
        while (from.hasRemaining()) {
            ByteBuffer piece = from.isDirect() || from.hasArray() ? from : copyOfBeginning(from);
            long count = linux.calls.pwrite(open, piece, Math.min(piece.remaining(), MAX_WRITE), at);
            if (count < 0) {
                if (linux.interrupted()) {
                    continue;
                }
                throw linux.failure("pwrite", path);
            }
            from.position(from.position() + (int) count);
            at += count;
        }
    }

    /** A read-only heap buffer does not show its array, which jnr-ffi needs. */
    private static ByteBuffer copyOfBeginning(ByteBuffer from) {
        byte[] bytes = new byte[Math.min(from.remaining(), COPY_BYTES)];
        from.get(from.position(), bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void truncate(long size) throws PosixException {
        int open = open();
        int result;
        do {
            result = linux.calls.ftruncate(open, size);
        } while (result < 0 && linux.interrupted());
        require(result, "ftruncate");
    }

    @Override
    public void changeOwner(int uid, int gid) throws PosixException {
        require(linux.calls.fchown(open(), uid, gid), "fchown");
    }

    @Override
    public void changeMode(int mode) throws PosixException {
        require(linux.calls.fchmod(open(), mode), "fchmod");
    }

    @Override
    public void fsync() throws PosixException {
        int open = open();
        int result;
        do {
            result = linux.calls.fsync(open);
        } while (result < 0 && linux.interrupted());
        require(result, "fsync");
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        linux.stat(open(), path, into);
    }

    @Override
    public void close() throws PosixException {
        if (fd >= 0) {
            PosixException failure = linux.close(fd, path);
            fd = -1;
            if (failure != null) {
                throw failure;
            }
        }
    }

    private int open() throws PosixException {
        if (fd < 0) {
            throw new PosixException("use after close", path, Errno.EBADF.number());
        }
        return fd;
    }

    private void require(int result, String call) throws PosixException {
        if (result < 0) {
            throw linux.failure(call, path);
        }
    }
}
