package dev.holdfast.posix;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The port to the operating system's files.
 *
 * <p>Promises of every implementation:
 *
 * <ul>
 *   <li>A failure is a {@link PosixException} with the path and the errno; only where a method says so is ENOENT an answer.
 *   <li>EINTR is retried.
 *   <li>Every descriptor is close-on-exec.
 *   <li>Opening to read or to list leaves access times alone where the kernel allows it ({@code O_NOATIME}: for the owner
 *       and for root); elsewhere it opens without that flag.
 *   <li>Safe for use by any thread.
 * </ul>
 */
public interface PosixFiles {

    /** Opens a directory, following symbolic links. */
    DirectoryHandle openDirectory(Path path) throws PosixException;

    /**
     * Opens a file for reading, following symbolic links. Never blocks on a FIFO or device ({@code O_NONBLOCK}); callers
     * check the type with {@link ReadableFile#stat}.
     */
    ReadableFile openForReading(Path path) throws PosixException;

    /**
     * Creates a file that must not exist, with exactly this mode whatever the umask, open for writing.
     *
     * @param mode permission bits
     */
    WritableFile create(Path path, int mode) throws PosixException;

    /** Opens a lock file read-write, creating it with exactly this mode if it is missing; does not take a lock yet. */
    LockHandle openLock(Path path, int mode) throws PosixException;

    /** Makes one directory with exactly this mode. @return false if something of that name exists */
    boolean makeDirectory(Path path, int mode) throws PosixException;

    /** Looks at a path. @return false if and only if the call failed with ENOENT */
    boolean stat(Path path, boolean followLinks, FileStat into) throws PosixException;

    /** Sets the access time to now, see {@link DirectoryHandle#touch}. @return false if and only if ENOENT */
    boolean touch(Path path) throws PosixException;

    /**
     * As {@link #touch(Path)}, for paths that are built by the million: makes no {@link Path}.
     *
     * @param path the bytes of the path, without a terminating zero
     * @return false if and only if ENOENT
     */
    default boolean touch(byte[] path) throws PosixException {
        return touch(Path.of(new String(path, StandardCharsets.UTF_8)));
    }

    /** Changes the owner, without following a link. */
    void changeOwner(Path path, int uid, int gid) throws PosixException;

    /** Changes the permission bits. */
    void changeMode(Path path, int mode) throws PosixException;

    /** @return false if it was not there */
    boolean unlink(Path path) throws PosixException;

    /** Removes an empty directory. @return false if it was not there */
    boolean removeDirectory(Path path) throws PosixException;

    /** Renames, replacing an existing target atomically. */
    void rename(Path from, Path to) throws PosixException;

    /** Gives a file a second name, which must not exist. @return false if it exists */
    boolean link(Path existing, Path name) throws PosixException;

    /** Sets the length of a file that exists, following symbolic links. */
    void truncate(Path path, long size) throws PosixException;

    /** Writes everything of the filesystem that holds this path to disk. */
    void syncFilesystem(Path path) throws PosixException;

    /** Total and free room of the filesystem that holds this path. */
    FilesystemSpace space(Path path) throws PosixException;

    /** The effective user. */
    int effectiveUid();

    /** The effective group. */
    int effectiveGid();

    /** The uid and gid of a local account, or null if there is none of that name. */
    int @Nullable [] account(String name) throws PosixException;
}
