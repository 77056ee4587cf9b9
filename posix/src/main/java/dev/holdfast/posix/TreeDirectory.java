package dev.holdfast.posix;

import org.jspecify.annotations.Nullable;

/**
 * A directory of a tree.
 *
 * <p>A name is one component: not empty, not {@code .} or {@code ..}, without slash and NUL; anything else is an {@link
 * IllegalArgumentException}. Where something that must not exist does, the error is EEXIST; a symbolic link in the place
 * of what is to be opened gives ELOOP or ENOTDIR.
 */
public interface TreeDirectory extends TreeNode {

    /** The next entry of the listing, null at the end; see {@link DirectoryHandle#next}. */
    @Nullable
    DirectoryEntry next() throws PosixException;

    /** Looks at an entry. @return false if and only if the call failed with ENOENT */
    boolean stat(byte[] name, FileStat into) throws PosixException;

    TreeDirectory openDirectory(byte[] name) throws PosixException;

    /** Opens to read; never waits for the other end of a FIFO. The caller checks the type by {@link TreeNode#stat}. */
    TreeFile openFile(byte[] name) throws PosixException;

    /** Opens anything, without the right to its contents; a link itself, not its target. */
    TreeNode openNode(byte[] name) throws PosixException;

    /** Creates a file that must not exist, with exactly this mode, to write. */
    TreeFile createFile(byte[] name, int mode) throws PosixException;

    /** Makes a directory that must not exist; the umask applies. */
    void makeDirectory(byte[] name, int mode) throws PosixException;

    /**
     * Makes a FIFO, socket or device that must not exist; the umask applies.
     *
     * @param mode type and permissions
     * @param major of a device, unsigned
     * @param minor of a device, unsigned
     */
    void makeNode(byte[] name, int mode, int major, int minor) throws PosixException;

    /** Makes a symbolic link that must not exist. @param target not empty, without NUL */
    void makeLink(byte[] name, byte[] target) throws PosixException;

    /** Gives an entry of another directory a second name, which must not exist. A link itself is linked. */
    void hardLink(TreeDirectory from, byte[] existing, byte[] name) throws PosixException;

    /** @return false if it was not there */
    boolean unlink(byte[] name) throws PosixException;
}
