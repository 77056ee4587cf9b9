package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A directory of an archive that is read at any place, by its goodbye table. The table is never held as a whole. */
public final class PxarDirectory {

    private static final int ITEM = RecordType.GOODBYE_ITEM;

    private final PxarReader reader;
    private final PxarEntry entry;
    private final long goodbye;
    private final long firstChild;
    private final long count;

    /** @param start where the tail item must say that the directory begins */
    PxarDirectory(PxarReader reader, PxarEntry entry, long start) throws IOException {
        this.reader = reader;
        this.entry = entry;
        // No child can begin before the end of the smallest ENTRY of the directory itself.
        this.firstChild = entry.place().entry() + RecordType.HEADER + RecordType.ENTRY_V1_CONTENT;
        long end = entry.place().end();
        long at = end - ITEM;
        if (at < firstChild) {
            throw new ArchiveFormatException(Math.max(at, 0), "no room for the goodbye table of a directory");
        }
        byte[] tail = reader.read(at, ITEM);
        long size = RecordInput.longAt(tail, 16);
        if (RecordInput.longAt(tail, 0) != RecordType.GOODBYE_TAIL_MARKER) {
            throw new ArchiveFormatException(at, "a directory does not end with the tail of a goodbye table");
        }
        if (size < RecordType.HEADER + ITEM || size > end - firstChild || (size - RecordType.HEADER) % ITEM != 0) {
            throw new ArchiveFormatException(at, "a goodbye table cannot be " + Long.toUnsignedString(size) + " bytes");
        }
        this.goodbye = end - size;
        this.count = (size - RecordType.HEADER) / ITEM - 1;
        if (RecordInput.longAt(tail, 8) != goodbye - start) {
            throw new ArchiveFormatException(at, "a goodbye table belongs to another directory");
        }
        byte[] header = reader.read(goodbye, RecordType.HEADER);
        if (RecordInput.longAt(header, 0) != RecordType.GOODBYE || RecordInput.longAt(header, 8) != size) {
            throw new ArchiveFormatException(goodbye, "no GOODBYE record where the tail of its table says");
        }
    }

    /** The directory itself. */
    public PxarEntry entry() {
        return entry;
    }

    /** Number of children. */
    public long count() {
        return count;
    }

    /**
     * One child.
     *
     * @param index 0 to {@link #count()} − 1, in the order of the table, which is not that of the names
     */
    public PxarEntry child(long index) throws IOException {
        return child(item(index));
    }

    /** Looks up a child by name. @return null if there is none */
    public @Nullable PxarEntry lookup(byte[] name) throws IOException {
        long wanted = NameHash.of(name);
        long[] open = new long[64];
        int left = 1;
        while (left > 0) {
            long slot = open[--left];
            if (slot >= count) {
                continue;
            }
            byte[] item = item(slot);
            int order = Long.compareUnsigned(wanted, RecordInput.longAt(item, 0));
            if (order == 0) {
                PxarEntry child = child(item);
                if (Arrays.equals(child.name(), name)) {
                    return child;
                }
            }
            // Other names of the same hash may be on either side. The list of open slots grows by one a level at most.
            if (order <= 0) {
                open[left++] = 2 * slot + 1;
            }
            if (order >= 0) {
                open[left++] = 2 * slot + 2;
            }
        }
        return null;
    }

    long goodbye() {
        return goodbye;
    }

    long firstChild() {
        return firstChild;
    }

    private byte[] item(long index) throws IOException {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(index + " of " + count);
        }
        return reader.read(goodbye + RecordType.HEADER + index * ITEM, ITEM);
    }

    private PxarEntry child(byte[] item) throws IOException {
        long offset = RecordInput.longAt(item, 8);
        long size = RecordInput.longAt(item, 16);
        if (offset <= 0 || offset > goodbye - firstChild) {
            throw new ArchiveFormatException(goodbye, "a goodbye table points outside of its directory");
        }
        long filename = goodbye - offset;
        boolean inside = size >= 0 && size <= offset;
        if (!inside && reader.version() == 1) {
            throw endsOutside();
        }
        // The item of a version 2 file may count its contents, which are elsewhere.
        PxarEntry child = reader.parse(filename, inside ? filename + size : goodbye);
        if (!inside && child.kind() != EntryKind.FILE) {
            throw endsOutside();
        }
        return child.kind() == EntryKind.DIRECTORY ? child.endingAt(filename + size) : child;
    }

    private ArchiveFormatException endsOutside() {
        return new ArchiveFormatException(goodbye, "a goodbye table has an entry that ends outside of its directory");
    }
}
