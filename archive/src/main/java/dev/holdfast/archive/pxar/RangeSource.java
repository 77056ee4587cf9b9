package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ByteSource;
import java.io.IOException;

/** A part of another source, which the maker has checked to lie within it. */
record RangeSource(ByteSource whole, long start, long size) implements ByteSource {

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
        if (position >= size) {
            return -1;
        }
        int n = whole.read(start + position, buffer, offset, (int) Math.min(length, size - position));
        if (n <= 0) {
            throw new ArchiveFormatException(start + position, "the archive ends early");
        }
        return n;
    }
}
