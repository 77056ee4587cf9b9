package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A stream of records, from some position on. A header is looked at before it is taken, and its declared length is
 * checked against the bounds of its type, and against the end where that is known, before anything is read or allocated.
 */
final class RecordInput {

    /** The end of a stream that does not tell its length. */
    static final long UNKNOWN_END = Long.MAX_VALUE;

    private static final VarHandle LITTLE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LITTLE_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SKIP_BUFFER = 1 << 13;

    private final InputStream in;
    private final long end;
    private final byte[] header = new byte[RecordType.HEADER];
    private byte @Nullable [] skipped;
    private long position;
    private boolean headerThere;

    /** @param end first position that is not part of the range, or {@link #UNKNOWN_END} */
    RecordInput(InputStream in, long position, long end) {
        this.in = in;
        this.position = position;
        this.end = end;
    }

    static long longAt(byte[] bytes, int offset) {
        return (long) LITTLE_LONG.get(bytes, offset);
    }

    static int intAt(byte[] bytes, int offset) {
        return (int) LITTLE_INT.get(bytes, offset);
    }

    /** Position of the header that was looked at, or of the next byte. */
    long position() {
        return headerThere ? position - RecordType.HEADER : position;
    }

    /** Looks at the next header. @return false if the range ends here, between two records */
    boolean peek() throws IOException {
        if (headerThere) {
            return true;
        }
        if (position >= end) {
            return false;
        }
        int n = in.readNBytes(header, 0, (int) Math.min(RecordType.HEADER, end - position));
        if (n == 0) {
            return false;
        }
        if (n < RecordType.HEADER) {
            throw new ArchiveFormatException(position, "the archive ends within a record header");
        }
        long type = longAt(header, 0);
        long fullSize = longAt(header, 8);
        if (RecordType.name(type) == null) {
            throw new ArchiveFormatException(position, "unknown record type 0x" + Long.toHexString(type));
        }
        long[] bounds = RecordType.contentBounds(type);
        long content = fullSize - RecordType.HEADER;
        if (fullSize < RecordType.HEADER || content < bounds[0] || content > bounds[1]) {
            throw new ArchiveFormatException(
                    position,
                    "a " + RecordType.name(type) + " record must not be " + Long.toUnsignedString(fullSize)
                            + " bytes long");
        }
        if (fullSize > end - position) {
            throw new ArchiveFormatException(
                    position, "a " + RecordType.name(type) + " record reaches beyond the end of what holds it");
        }
        position += RecordType.HEADER;
        headerThere = true;
        return true;
    }

    /** Looks at the next header, which must be there. */
    void require(String what) throws IOException {
        if (!peek()) {
            throw new ArchiveFormatException(position, "the archive ends where " + what + " is due");
        }
    }

    long type() {
        return longAt(header, 0);
    }

    long contentSize() {
        return longAt(header, 8) - RecordType.HEADER;
    }

    /** Takes the header only; its content comes next. @return the size of the content */
    long take() {
        headerThere = false;
        return contentSize();
    }

    /** Takes the record with its content, which the type's bounds or the caller have limited. */
    byte[] takeContent() throws IOException {
        int size = Math.toIntExact(take());
        byte[] content = in.readNBytes(size);
        position += content.length;
        if (content.length < size) {
            throw truncated();
        }
        return content;
    }

    /** Reads bytes of a content whose header was taken. @return their number, at least 1 */
    int read(byte[] buffer, int offset, int length) throws IOException {
        int n = in.read(buffer, offset, length);
        if (n <= 0) {
            throw truncated();
        }
        position += n;
        return n;
    }

    /** Passes over bytes of a content whose header was taken. */
    void skip(long count) throws IOException {
        long left = count;
        while (left > 0) {
            long n = in.skip(left);
            if (n <= 0) {
                if (skipped == null) {
                    skipped = new byte[SKIP_BUFFER];
                }
                n = in.read(skipped, 0, (int) Math.min(left, SKIP_BUFFER));
                if (n <= 0) {
                    throw truncated();
                }
            }
            left -= n;
            position += n;
        }
    }

    ArchiveFormatException wrongPlace(String expected) {
        return new ArchiveFormatException(
                position(), RecordType.name(type()) + " record where " + expected + " is due");
    }

    private ArchiveFormatException truncated() {
        return new ArchiveFormatException(position, "the archive ends within a record");
    }
}
