package dev.holdfast.posix;

import com.kenai.jffi.Library;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.jspecify.annotations.Nullable;

/**
 * The bound C library with the numbers and structures of Linux on 64-bit x86 and ARM, and the calls that several handles
 * share. Safe for use by any thread.
 *
 * <p>Structures are chosen so that one layout serves both processors: {@code statx} instead of {@code stat}. Of the open
 * flags only {@code O_DIRECTORY} and {@code O_NOFOLLOW} differ.
 */
final class Linux {

    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;

    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0100;
    static final int O_EXCL = 0200;
    static final int O_NOCTTY = 0400;
    static final int O_APPEND = 02000;
    static final int O_NONBLOCK = 04000;
    static final int O_NOATIME = 01000000;
    static final int O_CLOEXEC = 02000000;

    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_BYTES = 256;
    private static final long UTIME_NOW = 0x3fffffff;
    private static final long UTIME_OMIT = 0x3ffffffe;

    /** Bytes per listing call: about 370 entries of a prefix directory. */
    private static final int LISTING_BYTES = 32 * 1024;

    private static final byte[] EMPTY = {};

    final LinuxCalls calls;
    final int directoryFlag;
    final int noFollowFlag;

    private final Runtime runtime;

    /** Access time now, modification time as it is; written once, read by every touch. */
    private final Pointer touchTimes;

    private final ThreadLocal<Scratch> scratch;

    /** Listing buffers that are not in use, so that opening 65536 directories does not allocate as many buffers. */
    private final ArrayBlockingQueue<ListingBuffer> listingBuffers = new ArrayBlockingQueue<>(32);

    private Linux(LinuxCalls calls, boolean arm) {
        this.calls = calls;
        this.runtime = Runtime.getRuntime(calls);
        this.directoryFlag = arm ? 040000 : 0200000;
        this.noFollowFlag = arm ? 0100000 : 0400000;
        this.touchTimes = Memory.allocateDirect(runtime, 32, true);
        touchTimes.putLong(8, UTIME_NOW);
        touchTimes.putLong(24, UTIME_OMIT);
        this.scratch = ThreadLocal.withInitial(() -> new Scratch(runtime));
    }

    /** Native memory of one thread for the structures of one call. */
    static final class Scratch {
        final Pointer memory;
        final long[] fields = new long[14];

        Scratch(Runtime runtime) {
            memory = Memory.allocateDirect(runtime, STATX_BYTES, true);
        }
    }

    /**
     * Binds the C library and looks up every function at once, because jnr-ffi would report a missing one only when it is
     * called.
     */
    static Linux bind() {
        String os = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean arm = arch.equals("aarch64");
        if (!os.equals("Linux") || !(arm || arch.equals("amd64") || arch.equals("x86_64"))) {
            throw new UnsatisfiedLinkError("Holdfast needs Linux on x86_64 or aarch64, this is " + os + " on " + arch);
        }
        try {
            requireFunctions(LinuxCalls.class, "libc.so.6");
            return new Linux(
                    LibraryLoader.create(LinuxCalls.class).failImmediately().load("c"), arm);
        } catch (LinkageError e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("the native calls cannot be bound: " + e.getMessage()
                    + "; if the native stub could not be loaded, let -Djava.io.tmpdir name a directory whose"
                    + " filesystem permits execution");
            error.initCause(e);
            throw error;
        }
    }

    /** Fails unless the library has a function for every method of an interface. */
    static void requireFunctions(Class<?> functions, String libraryName) {
        Library library = Library.openLibrary(libraryName, Library.LAZY | Library.GLOBAL);
        if (library == null) {
            throw new UnsatisfiedLinkError("library " + libraryName + ": " + Library.getLastError());
        }
        List<String> missing = new ArrayList<>();
        for (Method method : functions.getMethods()) {
            if (library.getSymbolAddress(method.getName()) == 0) {
                missing.add(method.getName());
            }
        }
        if (!missing.isEmpty()) {
            throw new UnsatisfiedLinkError("library " + libraryName + " has no function " + String.join(", ", missing)
                    + "; the GNU C library is needed from version 2.30 on");
        }
    }

    /** The errno of the call just made by this thread. */
    int errno() {
        return runtime.getLastError();
    }

    PosixException failure(String call, String path) {
        return new PosixException(call, path, errno());
    }

    /**
     * The bytes of a path as UTF-8, whatever the locale. A Path that Java itself decoded from a name that is not UTF-8 has
     * lost that name's bytes already; such names are reached by {@link DirectoryHandle} only.
     */
    static byte[] bytes(Path path) {
        String text = path.toString();
        return (text.isEmpty() ? "." : text).getBytes(StandardCharsets.UTF_8);
    }

    int open(int directory, byte[] path, int flags, int mode) {
        int fd;
        do {
            fd = calls.openat(directory, path, flags | O_CLOEXEC, mode);
        } while (fd < 0 && interrupted());
        return fd;
    }

    /** Opens without moving access times where the kernel allows it (it answers EPERM to others than the owner). */
    int openQuietly(int directory, byte[] path, int flags) {
        int fd = open(directory, path, flags | O_NOATIME, 0);
        if (fd < 0 && errno() == Errno.EPERM.number()) {
            fd = open(directory, path, flags, 0);
        }
        return fd;
    }

    /** Opens a directory for lookups and listing. */
    int openDirectory(int directory, byte[] path) {
        return openQuietly(directory, path, O_RDONLY | O_NONBLOCK | directoryFlag);
    }

    /** Opens a file to read; without waiting for the other end of a FIFO. */
    int openForReading(int directory, byte[] path) {
        return openQuietly(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    }

    /** Closes; Linux has released the number even when it answers EINTR, so that is never repeated. */
    @Nullable
    PosixException close(int fd, String path) {
        return calls.close(fd) == 0 || errno() == Errno.EINTR.number() ? null : failure("close", path);
    }

    /** Whether the call that just failed is to be repeated. */
    boolean interrupted() {
        return errno() == Errno.EINTR.number();
    }

    int touch(int directory, byte[] path) {
        return calls.utimensat(directory, path, touchTimes, AT_SYMLINK_NOFOLLOW);
    }

    /** {@code statx} into the caller's fields; the result is that of the call. */
    int stat(int directory, byte[] path, int flags, FileStat into) {
        Scratch s = scratch.get();
        int result;
        do {
            result = calls.statx(directory, path, flags, STATX_BASIC_STATS, s.memory);
        } while (result < 0 && interrupted());
        if (result == 0) {
            decodeStatx(s.memory, s.fields);
            into.set(s.fields);
        }
        return result;
    }

    void stat(int fd, String path, FileStat into) throws PosixException {
        if (stat(fd, EMPTY, AT_EMPTY_PATH, into) < 0) {
            throw failure("statx", path);
        }
    }

    private static void decodeStatx(Pointer m, long[] v) {
        v[0] = device(m.getInt(136), m.getInt(140));
        v[1] = m.getLong(32);
        v[2] = m.getShort(28) & 0xffff;
        v[3] = m.getInt(16) & 0xffff_ffffL;
        v[4] = m.getInt(20);
        v[5] = m.getInt(24);
        v[6] = device(m.getInt(128), m.getInt(132));
        v[7] = m.getLong(40);
        v[8] = m.getLong(64);
        v[9] = m.getInt(72);
        v[10] = m.getLong(112);
        v[11] = m.getInt(120);
        v[12] = m.getLong(96);
        v[13] = m.getInt(104);
    }

    /** A device number as {@code st_dev} has it. */
    static long device(int major, int minor) {
        long high = major & 0xffff_ffffL;
        long low = minor & 0xffff_ffffL;
        return ((high & 0xfffff000L) << 32) | ((high & 0xfffL) << 8) | ((low & 0xffffff00L) << 12) | (low & 0xffL);
    }

    Pointer scratchMemory() {
        return scratch.get().memory;
    }

    /** What one listing reads into: native memory, and a copy of as much of it as the kernel filled. */
    static final class ListingBuffer {
        final Pointer memory;
        final byte[] bytes = new byte[LISTING_BYTES];

        ListingBuffer(Runtime runtime) {
            memory = Memory.allocateDirect(runtime, LISTING_BYTES, false);
        }
    }

    ListingBuffer borrowListingBuffer() {
        ListingBuffer buffer = listingBuffers.poll();
        return buffer == null ? new ListingBuffer(runtime) : buffer;
    }

    void returnListingBuffer(ListingBuffer buffer) {
        // A full pool leaves the buffer to the garbage collector.
        var unused = listingBuffers.offer(buffer);
    }
}
