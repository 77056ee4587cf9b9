package dev.holdfast.archive.catalog;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ByteSource;
import dev.holdfast.archive.SourceInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a catalogue at any place. Blocks are read as a stream, never as a whole: memory does not depend on the
 * catalogue. The positions of nested directories fall strictly, so a walk ends. One thread at a time.
 */
public final class CatalogReader {

    private static final int TAIL = 8;

    private final ByteSource source;
    private final long root;

    private CatalogReader(ByteSource source, long root) {
        this.source = source;
        this.root = root;
    }

    /** @throws ArchiveFormatException if it does not begin with the magic, or names no place for its root */
    public static CatalogReader open(ByteSource source) throws IOException {
        long size = source.size();
        byte[] magic = new SourceInputStream(source, 0, Math.min(size, 8)).readNBytes(8);
        if (!Arrays.equals(magic, CatalogWriter.MAGIC)) {
            throw new ArchiveFormatException(0, "not a catalogue: the magic number is missing");
        }
        if (size < CatalogWriter.MAGIC.length + TAIL + 2) {
            throw new ArchiveFormatException(size, "the catalogue ends early");
        }
        byte[] tail = new SourceInputStream(source, size - TAIL, size).readNBytes(TAIL);
        if (tail.length < TAIL) {
            throw new ArchiveFormatException(size - TAIL, "the catalogue ends early");
        }
        long root = 0;
        for (int i = TAIL - 1; i >= 0; i--) {
            root = root << 8 | tail[i] & 0xff;
        }
        if (root < CatalogWriter.MAGIC.length || root >= size - TAIL) {
            throw new ArchiveFormatException(size - TAIL, "the catalogue's root lies outside of it");
        }
        return new CatalogReader(source, root);
    }

    /** The entries of the root: one directory for each archive, named like its index. */
    public Block root() throws IOException {
        return new Block(root);
    }

    /** The entries of a directory. */
    public Block directory(CatalogEntry entry) throws IOException {
        if (entry.type() != CatalogType.DIRECTORY) {
            throw new IllegalArgumentException("not a directory: " + entry.text());
        }
        return new Block(entry.block());
    }

    /**
     * Looks up a path, the first component of which names an archive.
     *
     * @param path components joined by slashes; a leading, trailing or double slash does not matter
     * @return null if there is no such entry, and for the root, which has none
     */
    public @Nullable CatalogEntry lookup(byte[] path) throws IOException {
        CatalogEntry found = null;
        int at = 0;
        while (true) {
            while (at < path.length && path[at] == '/') {
                at++;
            }
            if (at == path.length) {
                return found;
            }
            int end = at;
            while (end < path.length && path[end] != '/') {
                end++;
            }
            if (found != null && found.type() != CatalogType.DIRECTORY) {
                return null;
            }
            Block block = found == null ? root() : directory(found);
            found = block.find(Arrays.copyOfRange(path, at, end));
            if (found == null) {
                return null;
            }
            at = end;
        }
    }

    /** The entries of one directory, read from the first to the last. */
    public final class Block {

        private final long start;
        private final BufferedInputStream in;
        private long position;
        private final long end;
        private long left;

        private Block(long start) throws IOException {
            this.start = start;
            long limit = source.size() - TAIL;
            this.in = new BufferedInputStream(new SourceInputStream(source, start, limit), 1 << 12);
            this.position = start;
            long length = unsigned(limit);
            if (length <= 0 || length > limit - position) {
                throw new ArchiveFormatException(start, "the table of a directory does not fit into the catalogue");
            }
            this.end = position + length;
            this.left = unsigned(end);
            checkUsedUp();
        }

        /** Position of the block in the catalogue. */
        public long start() {
            return start;
        }

        /** The next entry, null behind the last one. */
        public @Nullable CatalogEntry next() throws IOException {
            if (left == 0) {
                return null;
            }
            long at = position;
            CatalogType type = CatalogType.of(one(end));
            if (type == null) {
                throw new ArchiveFormatException(at, "unknown type of entry in a catalogue");
            }
            long length = unsigned(end);
            if (length < 0 || length >= CatalogWriter.NAME_LIMIT || length > end - position) {
                throw new ArchiveFormatException(at, "a name in a catalogue is too long");
            }
            byte[] name = in.readNBytes((int) length);
            position += name.length;
            if (name.length < length) {
                throw ends();
            }
            CatalogEntry entry = switch (type) {
                case DIRECTORY -> new CatalogEntry(type, name, 0, 0, child(at));
                case FILE -> file(name);
                default -> new CatalogEntry(type, name, 0, 0, 0);
            };
            left--;
            checkUsedUp();
            return entry;
        }

        private CatalogEntry file(byte[] name) throws IOException {
            long size = unsigned(end);
            return new CatalogEntry(CatalogType.FILE, name, size, signed(), 0);
        }

        private @Nullable CatalogEntry find(byte[] name) throws IOException {
            CatalogEntry entry = next();
            while (entry != null && !Arrays.equals(entry.name(), name)) {
                entry = next();
            }
            return entry;
        }

        private long child(long at) throws IOException {
            long distance = unsigned(end);
            if (distance <= 0 || distance > start - CatalogWriter.MAGIC.length) {
                throw new ArchiveFormatException(at, "a directory of a catalogue points to no place before its parent");
            }
            return start - distance;
        }

        private void checkUsedUp() throws ArchiveFormatException {
            if (left == 0 && position != end) {
                throw new ArchiveFormatException(position, "bytes are left in the table of a directory");
            }
        }

        private long unsigned(long limit) throws IOException {
            long value = 0;
            for (int i = 0; i < VarInt.MAX_UNSIGNED; i++) {
                int b = one(limit);
                value |= (b & 0x7fL) << (7 * i);
                if (b < 0x80) {
                    return value;
                }
            }
            throw new ArchiveFormatException(position, "a number is longer than 10 bytes");
        }

        private long signed() throws IOException {
            long value = 0;
            for (int i = 0; i < VarInt.MAX_SIGNED; i++) {
                int b = one(end);
                if (b == 0) {
                    return -value;
                }
                if (i == VarInt.MAX_UNSIGNED) {
                    break;
                }
                value |= (b & 0x7fL) << (7 * i);
                if (b < 0x80) {
                    return value;
                }
            }
            throw new ArchiveFormatException(position, "a number is longer than 11 bytes");
        }

        private int one(long limit) throws IOException {
            int b = position < limit ? in.read() : -1;
            if (b < 0) {
                throw ends();
            }
            position++;
            return b;
        }

        private ArchiveFormatException ends() {
            return new ArchiveFormatException(position, "the table of a directory ends within an entry");
        }
    }
}
