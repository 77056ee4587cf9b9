package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ByteSource;
import dev.holdfast.archive.SourceInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive at any place, by the goodbye tables from the end on: a look-up costs a few small reads for each
 * component of the path, however large the archive is.
 *
 * <p>Every position that a table names is checked to lie within the directory of the table, so that a crafted table
 * cannot lead in circles. One thread at a time, as the sources.
 */
public final class PxarReader {

    /** Read ahead for one entry: a name, a stat and a few attributes. */
    private static final int ENTRY_BUFFER = 1 << 10;

    private static final int STREAM_BUFFER = 1 << 16;

    private final ByteSource archive;
    private final @Nullable ByteSource payload;
    private final PxarLimits limits;
    private final Preamble preamble;
    private final PxarDirectory root;

    private PxarReader(
            ByteSource archive, @Nullable ByteSource payload, PxarLimits limits, Preamble preamble, PxarEntry root)
            throws IOException {
        this.archive = archive;
        this.payload = payload;
        this.limits = limits;
        this.preamble = preamble;
        this.root = new PxarDirectory(this, root.endingAt(archive.size()), 0);
    }

    /**
     * Opens an archive.
     *
     * @param archive version 1, or the metadata stream of version 2
     * @param payload the payload stream of version 2; without it contents are out of reach
     * @throws ArchiveFormatException if it does not begin with a root directory that ends at its last byte
     */
    public static PxarReader open(ByteSource archive, @Nullable ByteSource payload, PxarLimits limits)
            throws IOException {
        RecordInput in = new RecordInput(
                new BufferedInputStream(new SourceInputStream(archive, 0, archive.size()), ENTRY_BUFFER),
                0,
                archive.size());
        Preamble preamble = Preamble.read(in, limits);
        PxarEntry root = new EntryParser(preamble.version(), limits).root(in);
        return new PxarReader(archive, payload, limits, preamble, root);
    }

    /** Format version, 1 or 2. */
    public int version() {
        return preamble.version();
    }

    /** The opaque bytes in front of a version 2 archive, null if there are none. */
    public byte @Nullable [] prelude() {
        return preamble.prelude();
    }

    public PxarLimits limits() {
        return limits;
    }

    /** The root directory. */
    public PxarDirectory root() {
        return root;
    }

    /**
     * Looks up a path.
     *
     * @param path components joined by slashes; a leading, trailing or double slash does not matter; empty for the root
     * @return null if there is no such entry; no link of any kind is followed
     */
    public @Nullable PxarEntry lookup(byte[] path) throws IOException {
        PxarEntry found = root.entry();
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
            if (found.kind() != EntryKind.DIRECTORY) {
                return null;
            }
            PxarEntry child = directory(found).lookup(Arrays.copyOfRange(path, at, end));
            if (child == null) {
                return null;
            }
            found = child;
            at = end;
        }
    }

    /** Opens a directory that was looked up or listed with this reader. */
    public PxarDirectory directory(PxarEntry entry) throws IOException {
        if (entry.isRoot()) {
            return root;
        }
        if (entry.kind() != EntryKind.DIRECTORY || entry.place().end() < 0) {
            throw new IllegalArgumentException("not a directory that was looked up: " + entry.text());
        }
        return new PxarDirectory(this, entry, entry.place().entry());
    }

    /**
     * The contents of a regular file.
     *
     * @throws ArchiveFormatException if a version 2 entry refers to something else than a payload of its size
     */
    public ByteSource content(PxarEntry entry) throws IOException {
        if (!(entry.body() instanceof EntryBody.File file)) {
            throw new IllegalArgumentException("not a regular file: " + entry.text());
        }
        if (version() == 1) {
            return new RangeSource(archive, file.headerOffset() + RecordType.HEADER, file.size());
        }
        if (payload == null) {
            throw new IOException("the contents are in the payload stream, which was not given");
        }
        return new RangeSource(payload, new PayloadSource.Random(payload).check(file), file.size());
    }

    /**
     * The regular file that a hard link is a second name of.
     *
     * @throws ArchiveFormatException if there is no regular file at the place that the link names
     */
    public PxarEntry target(PxarEntry link) throws IOException {
        if (!(link.body() instanceof EntryBody.HardLink body)) {
            throw new IllegalArgumentException("not a hard link: " + link.text());
        }
        long at = link.place().filename();
        if (body.distance() <= 0 || body.distance() > at - root.firstChild()) {
            throw new ArchiveFormatException(at, "a hard link points to before the first entry of the archive");
        }
        PxarEntry target = parse(at - body.distance(), root.goodbye());
        if (target.kind() != EntryKind.FILE) {
            throw new ArchiveFormatException(at, "a hard link points to something else than a regular file");
        }
        return target;
    }

    /** Reads an entry and all below it from front to back; the entry comes first. */
    public PxarDecoder stream(PxarEntry entry) {
        long start = entry.isRoot() ? entry.place().entry() : entry.place().filename();
        long end = entry.place().end();
        if (end < start) {
            throw new IllegalArgumentException("not an entry that was looked up: " + entry.text());
        }
        RecordInput in = new RecordInput(
                new BufferedInputStream(new SourceInputStream(archive, start, end), STREAM_BUFFER), start, end);
        PayloadSource contents = payload == null ? null : new PayloadSource.Random(payload);
        PxarDecoder decoder = new PxarDecoder(in, preamble, contents, limits);
        return entry.isRoot() ? decoder : decoder.startingWithName();
    }

    /** Parses the entry whose FILENAME is at a position; a FIFO or socket may end at the end of the range. */
    PxarEntry parse(long filename, long end) throws IOException {
        RecordInput in = new RecordInput(
                new BufferedInputStream(new SourceInputStream(archive, filename, end), ENTRY_BUFFER), filename, end);
        return new EntryParser(version(), limits).named(in);
    }

    byte[] read(long position, int length) throws IOException {
        byte[] bytes = new SourceInputStream(archive, position, position + length).readNBytes(length);
        if (bytes.length < length) {
            throw new ArchiveFormatException(position, "the archive ends early");
        }
        return bytes;
    }
}
