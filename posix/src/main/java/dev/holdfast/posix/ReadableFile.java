package dev.holdfast.posix;

import java.nio.ByteBuffer;

/**
 * A file that is open for reading at any position. Deleting or replacing the name does not disturb it. Safe for use by
 * several threads at a time. {@code close} is idempotent.
 */
public interface ReadableFile extends AutoCloseable {

    /** The path it was opened by, for messages. */
    String path();

    void stat(FileStat into) throws PosixException;

    /** Length in bytes now. */
    long size() throws PosixException;

    /**
     * Reads at a position until the buffer is full or the file ends.
     *
     * @return the number of bytes read, 0 at the end of the file
     */
    int read(long position, ByteBuffer into) throws PosixException;

    @Override
    void close();
}
