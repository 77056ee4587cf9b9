package dev.holdfast.posix;

import java.nio.ByteBuffer;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.NulTerminate;
import jnr.ffi.annotations.Out;

/**
 * The functions of the C library that the door calls, by their C names. Public only because jnr-ffi generates the class
 * that implements it and cannot see a package-private interface; use {@link PosixFiles} instead.
 *
 * <p>Paths are bytes, terminated by jnr-ffi. A result below zero means that the errno of the calling thread has to be read
 * at once.
 */
public interface LinuxCalls {

    int openat(int directory, @In @NulTerminate byte[] path, int flags, int mode);

    int close(int fd);

    long pread(int fd, @Out ByteBuffer into, long length, long offset);

    long pwrite(int fd, @In ByteBuffer from, long length, long offset);

    int truncate(@In @NulTerminate byte[] path, long size);

    int ftruncate(int fd, long size);

    int fsync(int fd);

    int syncfs(int fd);

    long lseek(int fd, long offset, int whence);

    long getdents64(int fd, Pointer into, long length);

    int statx(int directory, @In @NulTerminate byte[] path, int flags, int mask, Pointer into);

    int statvfs(@In @NulTerminate byte[] path, Pointer into);

    int utimensat(int directory, @In @NulTerminate byte[] path, Pointer times, int flags);

    int unlinkat(int directory, @In @NulTerminate byte[] path, int flags);

    int renameat(int fromDirectory, @In @NulTerminate byte[] from, int toDirectory, @In @NulTerminate byte[] to);

    int linkat(
            int fromDirectory,
            @In @NulTerminate byte[] existing,
            int toDirectory,
            @In @NulTerminate byte[] name,
            int flags);

    int mkdirat(int directory, @In @NulTerminate byte[] path, int mode);

    int fchmod(int fd, int mode);

    int fchmodat(int directory, @In @NulTerminate byte[] path, int mode, int flags);

    int fchown(int fd, int uid, int gid);

    int fchownat(int directory, @In @NulTerminate byte[] path, int uid, int gid, int flags);

    int flock(int fd, int operation);

    int fcntl(int fd, int command, Pointer lock);

    int geteuid();

    int getegid();
}
