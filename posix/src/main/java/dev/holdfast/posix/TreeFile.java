package dev.holdfast.posix;

import java.nio.ByteBuffer;

/** A regular file of a tree, open for its contents. */
public interface TreeFile extends TreeNode {

    /**
     * Reads at a position until the buffer is full or the file ends.
     *
     * @return the number of bytes read, 0 at the end of the file
     */
    int read(long position, ByteBuffer into) throws PosixException;

    /** Writes all that the buffer holds at a position; for a file that was created. */
    void write(long position, ByteBuffer from) throws PosixException;

    /** Sets the length; for a file that was created. */
    void truncate(long size) throws PosixException;
}
