package dev.holdfast.archive.tree;

import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeFile;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes contents from the front and leaves holes where they are zero. */
final class SparseWriter {

    /** A hole is a multiple of this, in bytes: the block of nearly every filesystem. */
    static final int BLOCK = 4096;

    private static final byte[] ZEROS = new byte[BLOCK];

    private final TreeFile file;
    private long position;
    private long written;

    SparseWriter(TreeFile file) {
        this.file = file;
    }

    void write(byte[] bytes, int length) throws PosixException {
        int run = 0;
        for (int at = 0; at < length; at += BLOCK) {
            int n = Math.min(BLOCK, length - at);
            if (Arrays.equals(bytes, at, at + n, ZEROS, 0, n)) {
                flush(bytes, run, at);
                run = at + n;
            }
        }
        flush(bytes, run, length);
        position += length;
    }

    private void flush(byte[] bytes, int from, int to) throws PosixException {
        if (to > from) {
            file.write(position + from, ByteBuffer.wrap(bytes, from, to - from));
            written = position + to;
        }
    }

    /** Gives the file its length if it ends with a hole. */
    void finish() throws PosixException {
        if (written < position) {
            file.truncate(position);
        }
    }
}
