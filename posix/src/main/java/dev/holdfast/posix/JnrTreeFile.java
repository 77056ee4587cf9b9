package dev.holdfast.posix;

import java.nio.ByteBuffer;

/** A regular file of a tree by a descriptor. */
final class JnrTreeFile extends JnrTreeNode implements TreeFile {

    /** Share the descriptor and are never closed; this object does that. */
    private final JnrReadableFile reading;

    private final JnrWritableFile writing;

    JnrTreeFile(Linux linux, TreeCalls calls, int fd, String path) {
        super(linux, calls, fd, path);
        this.reading = new JnrReadableFile(linux, fd, path);
        this.writing = new JnrWritableFile(linux, fd, path);
    }

    @Override
    public int read(long position, ByteBuffer into) throws PosixException {
        fd();
        return reading.read(position, into);
    }

    @Override
    public void write(long position, ByteBuffer from) throws PosixException {
        fd();
        writing.write(position, from);
    }

    @Override
    public void truncate(long size) throws PosixException {
        fd();
        writing.truncate(size);
    }
}
