package dev.holdfast.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A range of a {@link ByteSource} as a stream. Skipping costs nothing. Closing does nothing. */
public final class SourceInputStream extends InputStream {

    private final ByteSource source;
    private final long end;
    private long position;

    /**
     * @param start first position, at least 0
     * @param end first position behind the range, at least {@code start}; the stream ends earlier if the source does
     */
    public SourceInputStream(ByteSource source, long start, long end) {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("not a range: " + start + " to " + end);
        }
        this.source = source;
        this.position = start;
        this.end = end;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        if (position >= end) {
            return -1;
        }
        int n = source.read(position, buffer, offset, (int) Math.min(length, end - position));
        if (n > 0) {
            position += n;
        }
        return n;
    }

    @Override
    public long skip(long count) throws IOException {
        long there = Math.min(end, source.size()) - position;
        long n = Math.max(0, Math.min(count, there));
        position += n;
        return n;
    }
}
