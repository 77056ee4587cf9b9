package dev.holdfast.posix;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One inode of a tree, held open, so that all calls are about the same thing even if its name is taken by another one.
 *
 * <p>Extended attributes, mode and time go through {@code /proc/self/fd}, which must be mounted.
 */
public interface TreeNode extends AutoCloseable {

    /** The path it was reached by, for messages. */
    String path();

    void stat(FileStat into) throws PosixException;

    /** The bytes that a symbolic link holds. */
    byte[] readLink() throws PosixException;

    /** Names of the extended attributes, in the kernel's order; empty where the filesystem has none. */
    List<byte[]> xattrNames() throws PosixException;

    /** The value of an extended attribute, null if it is not there or the filesystem has none. */
    byte @Nullable [] xattr(byte[] name) throws PosixException;

    /** Sets an extended attribute, whether it exists or not. */
    void setXattr(byte[] name, byte[] value) throws PosixException;

    /** @return false if it was not there or the filesystem has none */
    boolean removeXattr(byte[] name) throws PosixException;

    /** @param uid unsigned, as is {@code gid}; -1 leaves it */
    void changeOwner(int uid, int gid) throws PosixException;

    /** Changes the permission bits with setuid, setgid and sticky. Not for symbolic links. */
    void changeMode(int mode) throws PosixException;

    /** Sets the modification time; the access time stays. */
    void changeTime(long seconds, int nanos) throws PosixException;

    /**
     * The Linux attribute bits ({@code FS_…_FL}), 0 where the filesystem has none. For files and directories that were
     * opened as such only.
     */
    int attributes() throws PosixException;

    /** Sets attribute bits and leaves the others. For files and directories that were opened as such only. */
    void addAttributes(int attributes) throws PosixException;

    /** The quota project, unsigned, 0 for none and where the filesystem has none. As {@link #attributes}. */
    int projectId() throws PosixException;

    void changeProjectId(int projectId) throws PosixException;

    @Override
    void close();
}
