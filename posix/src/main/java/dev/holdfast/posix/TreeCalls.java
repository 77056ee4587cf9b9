package dev.holdfast.posix;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.NulTerminate;
import jnr.ffi.annotations.Out;

/**
 * The functions of the C library that only trees need, by their C names. Public for the reason given at {@link
 * LinuxCalls}; use {@link TreeFiles} instead. {@code mknodat} is exported from version 2.33 of the GNU C library on.
 */
public interface TreeCalls {

    int mknodat(int directory, @In @NulTerminate byte[] path, int mode, long device);

    int symlinkat(@In @NulTerminate byte[] target, int directory, @In @NulTerminate byte[] path);

    long readlinkat(int directory, @In @NulTerminate byte[] path, @Out byte[] into, long length);

    long listxattr(@In @NulTerminate byte[] path, @Out byte[] into, long length);

    long getxattr(@In @NulTerminate byte[] path, @In @NulTerminate byte[] name, @Out byte[] into, long length);

    int setxattr(
            @In @NulTerminate byte[] path, @In @NulTerminate byte[] name, @In byte[] value, long length, int flags);

    int removexattr(@In @NulTerminate byte[] path, @In @NulTerminate byte[] name);

    int ioctl(int fd, long request, Pointer argument);
}
