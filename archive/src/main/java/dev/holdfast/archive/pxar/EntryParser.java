package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Parses one entry, from its FILENAME (or, for the root, its ENTRY) up to the record that closes it. Behind a file of
 * version 1 the input stands at the first byte of the contents; behind a directory, FIFO or socket before the record
 * that follows.
 */
final class EntryParser {

    private static final byte[] NO_NAME = new byte[0];
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int version;
    private final PxarLimits limits;

    EntryParser(int version, PxarLimits limits) {
        this.version = version;
        this.limits = limits;
    }

    PxarEntry root(RecordInput in) throws IOException {
        long at = in.position();
        in.require("the root directory");
        if (in.type() != RecordType.ENTRY && in.type() != RecordType.ENTRY_V1) {
            throw in.wrongPlace("the ENTRY of the root directory");
        }
        PxarEntry root = entry(in, NO_NAME, -1);
        if (root.kind() != EntryKind.DIRECTORY) {
            throw new ArchiveFormatException(at, "the root of the archive is not a directory");
        }
        return root;
    }

    PxarEntry named(RecordInput in) throws IOException {
        in.require("a FILENAME");
        long filename = in.position();
        if (in.type() != RecordType.FILENAME) {
            throw in.wrongPlace("a FILENAME");
        }
        byte[] content = in.takeContent();
        byte[] name = Arrays.copyOf(content, content.length - 1);
        if (content[name.length] != 0) {
            throw new ArchiveFormatException(filename, "a FILENAME record does not end with NUL");
        }
        String fault = Names.fault(name);
        if (fault != null) {
            throw new ArchiveFormatException(filename, fault);
        }
        in.require("an ENTRY");
        if (in.type() == RecordType.HARDLINK) {
            return hardLink(in, name, filename);
        }
        return entry(in, name, filename);
    }

    private static PxarEntry hardLink(RecordInput in, byte[] name, long filename) throws IOException {
        long at = in.position();
        byte[] content = in.takeContent();
        if (content[content.length - 1] != 0) {
            throw new ArchiveFormatException(at, "the path of a HARDLINK record does not end with NUL");
        }
        long distance = RecordInput.longAt(content, 0);
        byte[] path = Arrays.copyOfRange(content, 8, content.length - 1);
        return new PxarEntry(
                name, new PxarEntry.Place(filename, at, in.position()), null, new EntryBody.HardLink(distance, path));
    }

    private PxarEntry entry(RecordInput in, byte[] name, long filename) throws IOException {
        long at = in.position();
        EntryStat stat = stat(in);
        AttributeCollector attributes = new AttributeCollector(limits.attributeBytes());
        boolean more = in.peek();
        while (more && attributes.collect(in)) {
            more = in.peek();
        }
        EntryMetadata metadata = attributes.metadata(stat);
        EntryBody body = more ? body(in, stat, at) : open(stat, at);
        long end = in.position();
        if (body instanceof EntryBody.File file && version == 1) {
            end += file.size();
        } else if (body instanceof EntryBody.Directory) {
            end = -1;
        }
        return new PxarEntry(name, new PxarEntry.Place(filename, at, end), metadata, body);
    }

    private static EntryStat stat(RecordInput in) throws IOException {
        long at = in.position();
        boolean old = in.type() == RecordType.ENTRY_V1;
        if (!old && in.type() != RecordType.ENTRY) {
            throw in.wrongPlace("an ENTRY");
        }
        byte[] content = in.takeContent();
        EntryTime mtime;
        if (old) {
            long nanos = RecordInput.longAt(content, 24);
            mtime = new EntryTime(Long.divideUnsigned(nanos, NANOS_PER_SECOND), (int)
                    Long.remainderUnsigned(nanos, NANOS_PER_SECOND));
        } else {
            int nanos = RecordInput.intAt(content, 32);
            if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
                throw new ArchiveFormatException(at, "the nanoseconds of a time are not below 10^9");
            }
            mtime = new EntryTime(RecordInput.longAt(content, 24), nanos);
        }
        return new EntryStat(
                RecordInput.longAt(content, 0),
                RecordInput.longAt(content, 8),
                Integer.toUnsignedLong(RecordInput.intAt(content, 16)),
                Integer.toUnsignedLong(RecordInput.intAt(content, 20)),
                mtime);
    }

    /** The record behind the attributes decides what the entry is, whatever the mode says. */
    private EntryBody body(RecordInput in, EntryStat stat, long at) throws IOException {
        long type = in.type();
        if (type == RecordType.FILENAME || type == RecordType.GOODBYE) {
            return open(stat, at);
        } else if (type == RecordType.PAYLOAD && version == 1) {
            long header = in.position();
            return new EntryBody.File(in.take(), header);
        } else if (type == RecordType.PAYLOAD_REF && version == 2) {
            return reference(in);
        } else if (type == RecordType.SYMLINK) {
            byte[] content = in.takeContent();
            // The reference drops the last byte without a look; archives that lack the NUL are read as it reads them.
            return new EntryBody.Symlink(Arrays.copyOf(content, content.length - 1));
        } else if (type == RecordType.DEVICE) {
            if (stat.type() != EntryStat.BLOCK_DEVICE && stat.type() != EntryStat.CHARACTER_DEVICE) {
                throw in.wrongPlace("an entry that is a device by its mode");
            }
            byte[] content = in.takeContent();
            return new EntryBody.Device(RecordInput.longAt(content, 0), RecordInput.longAt(content, 8));
        }
        throw in.wrongPlace("an attribute or the end of an entry");
    }

    private static EntryBody reference(RecordInput in) throws IOException {
        long at = in.position();
        byte[] content = in.takeContent();
        long offset = RecordInput.longAt(content, 0);
        long size = RecordInput.longAt(content, 8);
        if (offset < 0 || size < 0 || offset > Long.MAX_VALUE - RecordType.HEADER - size) {
            throw new ArchiveFormatException(at, "a PAYLOAD_REF reaches beyond the end of every stream");
        }
        return new EntryBody.File(size, offset);
    }

    private static EntryBody open(EntryStat stat, long at) throws ArchiveFormatException {
        return switch (stat.type()) {
            case EntryStat.DIRECTORY -> new EntryBody.Directory();
            case EntryStat.FIFO, EntryStat.SOCKET -> new EntryBody.Special();
            default ->
                throw new ArchiveFormatException(
                        at,
                        "the entry lacks the record that its mode 0" + Long.toOctalString(stat.mode()) + " demands");
        };
    }
}
