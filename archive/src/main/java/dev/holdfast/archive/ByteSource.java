package dev.holdfast.archive;

import java.io.IOException;

/**
 * Bytes that can be read at any position: an archive in a file, in memory, or behind an index of chunks.
 *
 * <p>Implementations may be used by one thread at a time unless they say more.
 */
public interface ByteSource {

    /** Length in bytes; does not change during the life of the source. */
    long size() throws IOException;

    /**
     * Reads at a position, as many bytes as come without effort.
     *
     * @param position 0 to {@link #size()}
     * @param length at least 1
     * @return the number of bytes read, at least 1, or -1 at and behind the end
     */
    int read(long position, byte[] buffer, int offset, int length) throws IOException;
}
