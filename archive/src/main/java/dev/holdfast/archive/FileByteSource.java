package dev.holdfast.archive;

import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file as a source; its length is taken once. Closing the file is up to the caller. */
public final class FileByteSource implements ByteSource {

    private final ReadableFile file;
    private final long size;

    public FileByteSource(ReadableFile file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
        if (position >= size) {
            return -1;
        }
        int want = (int) Math.min(length, size - position);
        int n = file.read(position, ByteBuffer.wrap(buffer, offset, want));
        return n == 0 ? -1 : n;
    }
}
