package dev.holdfast.posix;

import org.jspecify.annotations.Nullable;

/**
 * An open directory; names are looked up relative to it.
 *
 * <p>Names are bytes as the kernel has them, without a terminating zero, and may contain slashes (then the lookup walks
 * down). Lookups may be made by several threads at a time, since they share nothing but the descriptor; the listing
 * ({@link #next}, {@link #rewind}) is for one thread, and {@code close}, which is idempotent, comes after everything else.
 */
public interface DirectoryHandle extends AutoCloseable {

    /** The path it was opened by, for messages. */
    String path();

    /** Opens a directory below this one, following symbolic links. */
    DirectoryHandle openDirectory(byte[] name) throws PosixException;

    /**
     * Sets the access time to the kernel's now; modification time and content stay. Never follows a link in the last
     * component. Allocates nothing on the heap.
     *
     * @return false if and only if the call failed with ENOENT
     * @throws PosixException for every other failure
     */
    boolean touch(byte[] name) throws PosixException;

    /**
     * Looks at an entry without following a link in the last component.
     *
     * @return false if and only if the call failed with ENOENT
     */
    boolean stat(byte[] name, FileStat into) throws PosixException;

    /** Looks at this directory itself. */
    void stat(FileStat into) throws PosixException;

    /** Opens a regular file for reading, by the rules of {@link PosixFiles#openForReading}. */
    ReadableFile openForReading(byte[] name) throws PosixException;

    /** @return false if it was not there */
    boolean unlink(byte[] name) throws PosixException;

    /** Renames within this directory, replacing an existing target atomically. */
    void rename(byte[] from, byte[] to) throws PosixException;

    /**
     * Gives the next entry in the order of the directory, or null at the end; never {@code .} or {@code ..}. The type may
     * be {@link FileType#UNKNOWN} where the filesystem does not tell. Entries made or removed meanwhile may or may not be
     * seen.
     */
    @Nullable
    DirectoryEntry next() throws PosixException;

    /** Begins the listing again. */
    void rewind() throws PosixException;

    /** Makes the names in this directory durable. */
    void fsync() throws PosixException;

    @Override
    void close();
}
