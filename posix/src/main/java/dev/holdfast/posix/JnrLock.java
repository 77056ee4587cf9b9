package dev.holdfast.posix;

import jnr.ffi.Pointer;

/** An open lock file. Calls are serialized, so that a close cannot hit a descriptor number that was given anew. */
final class JnrLock implements LockHandle {

    private static final int LOCK_SH = 1;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final int LOCK_UN = 8;

    private static final int F_GETLK = 5;
    private static final int F_SETLK = 6;
    private static final int F_SETLKW = 7;
    private static final short F_RDLCK = 0;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;

    private final Linux linux;
    private final String path;
    private int fd;
    private boolean flocked;

    JnrLock(Linux linux, int fd, String path) {
        this.linux = linux;
        this.fd = fd;
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public synchronized void stat(FileStat into) throws PosixException {
        linux.stat(open(), path, into);
    }

    @Override
    public synchronized boolean tryFlock(boolean exclusive) throws PosixException {
        int open = open();
        int result;
        do {
            result = linux.calls.flock(open, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB);
        } while (result < 0 && linux.interrupted());
        if (result == 0) {
            flocked = true;
            return true;
        }
        if (linux.errno() == Errno.EAGAIN.number()) {
            return false;
        }
        throw linux.failure("flock", path);
    }

    @Override
    public synchronized boolean tryRecordLock(boolean exclusive) throws PosixException {
        int open = open();
        int result;
        do {
            result = linux.calls.fcntl(open, F_SETLK, wholeFile(exclusive ? F_WRLCK : F_RDLCK));
        } while (result < 0 && linux.interrupted());
        if (result >= 0) {
            return true;
        }
        int errno = linux.errno();
        if (errno == Errno.EAGAIN.number() || errno == Errno.EACCES.number()) {
            return false; // POSIX leaves it to the system which of the two says "held"
        }
        throw linux.failure("fcntl F_SETLK", path);
    }

    @Override
    public synchronized void unlockRecord() throws PosixException {
        int open = open();
        int result;
        do {
            result = linux.calls.fcntl(open, F_SETLKW, wholeFile(F_UNLCK));
        } while (result < 0 && linux.interrupted());
        if (result < 0) {
            throw linux.failure("fcntl F_SETLKW", path);
        }
    }

    @Override
    public synchronized int recordLockHolder(boolean exclusive) throws PosixException {
        Pointer lock = wholeFile(exclusive ? F_WRLCK : F_RDLCK);
        if (linux.calls.fcntl(open(), F_GETLK, lock) < 0) {
            throw linux.failure("fcntl F_GETLK", path);
        }
        return lock.getShort(0) == F_UNLCK ? 0 : lock.getInt(24);
    }

    @Override
    public synchronized void close() {
        if (fd < 0) {
            return;
        }
        if (flocked) {
            // A child between fork and exec still has a copy of the descriptor, which would keep the lock; unlocking
            // acts on the open file itself.
            var unused = linux.calls.flock(fd, LOCK_UN);
        }
        var unused = linux.close(fd, path);
        fd = -1;
    }

    /** {@code struct flock} of 32 bytes: type 0, whence 2, start 8, length 16 (0: to the end, however far), pid 24. */
    private Pointer wholeFile(short type) {
        Pointer lock = linux.scratchMemory();
        lock.setMemory(0, 32, (byte) 0);
        lock.putShort(0, type);
        return lock;
    }

    private int open() throws PosixException {
        if (fd < 0) {
            throw new PosixException("use after close", path, Errno.EBADF.number());
        }
        return fd;
    }
}
