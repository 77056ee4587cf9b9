package dev.holdfast.posix;

import java.nio.ByteBuffer;

/** A file that is open for writing. One thread at a time. {@code close} is idempotent. */
public interface WritableFile extends AutoCloseable {

    String path();

    /** Writes all that the buffer holds at a position. */
    void write(long position, ByteBuffer from) throws PosixException;

    /** Sets the length. */
    void truncate(long size) throws PosixException;

    void changeOwner(int uid, int gid) throws PosixException;

    void changeMode(int mode) throws PosixException;

    /** Writes data and metadata of the file to disk. */
    void fsync() throws PosixException;

    void stat(FileStat into) throws PosixException;

    @Override
    void close() throws PosixException;
}
