package dev.holdfast.archive.pxar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Writes an archive: call {@link #startRoot}, the children, {@link #endDirectory}. The end of the root completes the
 * archive; the sinks are neither flushed nor closed.
 *
 * <p>The order of the children is the caller's: by bytes of the names, unsigned, to match PBS. The same name must not
 * come twice in a directory; that is not checked here. Memory: 24 bytes for each child of each open directory. One
 * thread at a time; after an exception from a sink the archive is of no use.
 *
 * <p>Arguments that the format cannot hold are refused with {@link IllegalArgumentException} before anything is
 * written; calls out of order with {@link IllegalStateException}.
 */
public final class PxarEncoder {

    private final RecordOutput out;
    private final @Nullable RecordOutput payload;
    private final Deque<Open> stack = new ArrayDeque<>();

    private byte @Nullable [] fileName;
    private long filePosition;
    private long fileSize;
    private long fileLeft;
    private boolean complete;

    /** A directory whose end has not come. */
    private record Open(byte[] name, long filename, long start, GoodbyeTable children) {}

    private PxarEncoder(RecordOutput out, @Nullable RecordOutput payload) {
        this.out = out;
        this.payload = payload;
    }

    /** An archive of version 1. */
    public static PxarEncoder version1(OutputStream archive) {
        return new PxarEncoder(new RecordOutput(archive), null);
    }

    /** An archive of version 2. @param prelude opaque bytes to put in front, or null */
    public static PxarEncoder version2(OutputStream metadata, OutputStream payload, byte @Nullable [] prelude)
            throws IOException {
        RecordOutput contents = new RecordOutput(payload);
        PxarEncoder encoder = new PxarEncoder(new RecordOutput(metadata), contents);
        encoder.out.record(RecordType.FORMAT_VERSION, 2);
        if (prelude != null) {
            encoder.out.header(RecordType.PRELUDE, prelude.length);
            encoder.out.bytes(prelude, 0, prelude.length);
        }
        contents.header(RecordType.PAYLOAD_START_MARKER, 0);
        return encoder;
    }

    /** Format version, 1 or 2. */
    public int version() {
        return payload == null ? 1 : 2;
    }

    /** Bytes written to the archive, for version 2 to the metadata stream. */
    public long position() {
        return out.position();
    }

    /** Bytes written to the archive and its payload stream. */
    public long totalBytes() {
        return out.position() + (payload == null ? 0 : payload.position());
    }

    public void startRoot(EntryMetadata metadata) throws IOException {
        if (complete || !stack.isEmpty()) {
            throw new IllegalStateException("the root has been started already");
        }
        checkType(metadata, EntryStat.DIRECTORY);
        AttributeWriter.check(metadata);
        long at = out.position();
        AttributeWriter.write(metadata, out);
        // The table of the root counts from the first byte of the stream, which in version 2 is not its ENTRY.
        stack.push(new Open(new byte[0], at, 0, new GoodbyeTable()));
    }

    public void startDirectory(byte[] name, EntryMetadata metadata) throws IOException {
        checkType(metadata, EntryStat.DIRECTORY);
        long filename = start(name, metadata);
        long start = out.position();
        AttributeWriter.write(metadata, out);
        stack.push(new Open(name.clone(), filename, start, new GoodbyeTable()));
    }

    /** Ends the directory that was started last. */
    public void endDirectory() throws IOException {
        checkReady();
        Open directory = stack.pop();
        GoodbyeTable children = directory.children();
        long at = out.position();
        long content = (long) RecordType.GOODBYE_ITEM * (children.count() + 1L);
        out.header(RecordType.GOODBYE, content);
        for (int item : children.order()) {
            out.item(children.hash(item), at - children.position(item), children.size(item));
        }
        out.item(RecordType.GOODBYE_TAIL_MARKER, at - directory.start(), RecordType.HEADER + content);
        if (stack.isEmpty()) {
            complete = true;
            if (payload != null) {
                payload.header(RecordType.PAYLOAD_TAIL_MARKER, 0);
            }
        } else {
            addChild(directory.name(), directory.filename(), 0);
        }
    }

    /** Starts a regular file; exactly {@code size} bytes must be written before {@link #endFile}. */
    public void startFile(byte[] name, EntryMetadata metadata, long size) throws IOException {
        checkType(metadata, EntryStat.REGULAR);
        if (size < 0) {
            throw new IllegalArgumentException("negative size " + size);
        }
        filePosition = start(name, metadata);
        AttributeWriter.write(metadata, out);
        if (payload == null) {
            out.header(RecordType.PAYLOAD, size);
        } else {
            out.record(RecordType.PAYLOAD_REF, payload.position(), size);
            payload.header(RecordType.PAYLOAD, size);
        }
        fileName = name.clone();
        fileSize = size;
        fileLeft = size;
    }

    /** Writes contents of the file that was started. */
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (fileName == null || length > fileLeft) {
            throw new IllegalStateException(length + " bytes of contents, where " + fileLeft + " are missing");
        }
        (payload == null ? out : payload).bytes(bytes, offset, length);
        fileLeft -= length;
    }

    /** What a later hard link to the file that was started needs. */
    public LinkTarget linkTarget() {
        if (fileName == null) {
            throw new IllegalStateException("no file is open");
        }
        return new LinkTarget(pathTo(fileName), filePosition);
    }

    /** Ends the file. */
    public void endFile() {
        byte[] name = fileName;
        if (name == null || fileLeft != 0) {
            throw new IllegalStateException(fileLeft + " bytes of contents are missing");
        }
        fileName = null;
        addChild(name, filePosition, payload == null ? 0 : fileSize);
    }

    /** A symbolic link. @param target 1 to 4096 bytes, without NUL */
    public void symlink(byte[] name, EntryMetadata metadata, byte[] target) throws IOException {
        checkType(metadata, EntryStat.SYMLINK);
        checkPath(target);
        long filename = start(name, metadata);
        AttributeWriter.write(metadata, out);
        out.terminated(RecordType.SYMLINK, target);
        addChild(name, filename, 0);
    }

    /** A block or character device. */
    public void device(byte[] name, EntryMetadata metadata, long major, long minor) throws IOException {
        int type = metadata.stat().type();
        checkType(metadata, type == EntryStat.BLOCK_DEVICE ? type : EntryStat.CHARACTER_DEVICE);
        long filename = start(name, metadata);
        AttributeWriter.write(metadata, out);
        out.record(RecordType.DEVICE, major, minor);
        addChild(name, filename, 0);
    }

    /** A FIFO or socket. */
    public void special(byte[] name, EntryMetadata metadata) throws IOException {
        int type = metadata.stat().type();
        checkType(metadata, type == EntryStat.FIFO ? type : EntryStat.SOCKET);
        long filename = start(name, metadata);
        AttributeWriter.write(metadata, out);
        addChild(name, filename, 0);
    }

    /** A further name of a file that was written before. @param target one that {@link LinkTarget#fits} */
    public void hardLink(byte[] name, LinkTarget target) throws IOException {
        checkPath(target.path());
        long filename = start(name, null);
        byte[] path = target.path();
        out.header(RecordType.HARDLINK, 8 + path.length + 1L);
        byte[] content = ByteBuffer.allocate(8 + path.length + 1)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(filename - target.filename())
                .put(path)
                .array();
        out.bytes(content, 0, content.length);
        addChild(name, filename, 0);
    }

    private long start(byte[] name, @Nullable EntryMetadata metadata) throws IOException {
        checkReady();
        String fault = Names.fault(name);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        if (metadata != null) {
            AttributeWriter.check(metadata);
        }
        long at = out.position();
        out.terminated(RecordType.FILENAME, name);
        return at;
    }

    private void addChild(byte[] name, long filename, long elsewhere) {
        Open parent = stack.getFirst();
        parent.children().add(name, filename, out.position() - filename + elsewhere);
    }

    private byte[] pathTo(byte[] name) {
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        for (Iterator<Open> up = stack.descendingIterator(); up.hasNext(); ) {
            byte[] part = up.next().name();
            if (part.length > 0) {
                path.writeBytes(part);
                path.write('/');
            }
        }
        path.writeBytes(name);
        return path.toByteArray();
    }

    private void checkReady() {
        if (stack.isEmpty() || fileName != null) {
            throw new IllegalStateException(fileName != null ? "a file is open" : "no directory is open");
        }
    }

    private static void checkPath(byte[] path) {
        boolean fits = path.length > 0 && path.length <= RecordType.MAX_PATH;
        for (int i = 0; fits && i < path.length; i++) {
            fits = path[i] != 0;
        }
        if (!fits) {
            throw new IllegalArgumentException("a link target must be 1 to 4096 bytes without NUL");
        }
    }

    private static void checkType(EntryMetadata metadata, int type) {
        long mode = metadata.stat().mode();
        if ((mode & EntryStat.TYPE_MASK) != type || (mode & ~0177777L) != 0) {
            throw new IllegalArgumentException("mode 0" + Long.toOctalString(mode) + " does not fit the entry");
        }
    }
}
