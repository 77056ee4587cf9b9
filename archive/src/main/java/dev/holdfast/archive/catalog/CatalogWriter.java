package dev.holdfast.archive.catalog;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Writes a catalogue along with the walk of the trees: {@link #startArchive}, the entries, {@link #endDirectory}, and
 * at the end {@link #finish}. Append-only. Memory: the entries of the directories that are open at a time.
 *
 * <p>The sink is neither flushed nor closed. One thread at a time.
 */
public final class CatalogWriter {

    /** The first 8 bytes of the SHA-256 of {@code Proxmox Backup Catalog file v1.0}. */
    static final byte[] MAGIC = {(byte) 0x91, (byte) 0xfd, 0x60, (byte) 0xf9, (byte) 0xc4, 0x67, 0x58, (byte) 0xd5};

    /** Names are shorter than this, in bytes. */
    static final int NAME_LIMIT = 4096;

    private final OutputStream out;
    private final Deque<Level> stack = new ArrayDeque<>();
    private final byte[] number = new byte[VarInt.MAX_SIGNED];
    private long position;

    public CatalogWriter(OutputStream out) throws IOException {
        this.out = out;
        write(MAGIC, 0, MAGIC.length);
        stack.push(new Level(new byte[0]));
    }

    /** Begins the tree of an archive. @param indexName of its index in the snapshot, such as {@code root.pxar.didx} */
    public void startArchive(byte[] indexName) {
        if (stack.size() != 1) {
            throw new IllegalStateException("the archive before has not ended");
        }
        push(indexName);
    }

    public void startDirectory(byte[] name) {
        checkOpen();
        push(name);
    }

    /** Ends the directory, or the archive, that was started last. */
    public void endDirectory() throws IOException {
        checkOpen();
        Level level = stack.pop();
        long block = position;
        writeBlock(level);
        stack.getFirst().addDirectory(level.name, block);
    }

    /** Adds a regular file. @param mtime seconds since 1970-01-01 UTC, floor */
    public void file(byte[] name, long size, long mtime) {
        checkOpen();
        checkName(name);
        Level level = stack.getFirst();
        level.add(CatalogType.FILE, name);
        level.append(number, VarInt.putUnsigned(size, number, 0));
        level.append(number, VarInt.putSigned(mtime, number, 0));
    }

    /** Adds anything but a directory or regular file. */
    public void entry(CatalogType type, byte[] name) {
        if (type == CatalogType.DIRECTORY || type == CatalogType.FILE) {
            throw new IllegalArgumentException(type + " needs more than a name");
        }
        checkOpen();
        checkName(name);
        stack.getFirst().add(type, name);
    }

    /** Completes the catalogue. */
    public void finish() throws IOException {
        if (stack.size() != 1) {
            throw new IllegalStateException("a directory has not ended, or the catalogue is complete");
        }
        long root = position;
        writeBlock(stack.pop());
        byte[] tail = new byte[8];
        for (int i = 0; i < tail.length; i++) {
            tail[i] = (byte) (root >>> (8 * i));
        }
        write(tail, 0, tail.length);
    }

    private void push(byte[] name) {
        checkName(name);
        stack.push(new Level(name.clone()));
    }

    private void checkOpen() {
        if (stack.size() < 2) {
            throw new IllegalStateException("no archive is open");
        }
    }

    private static void checkName(byte[] name) {
        if (name.length == 0 || name.length >= NAME_LIMIT) {
            throw new IllegalArgumentException("a name in a catalogue must be 1 to 4095 bytes long");
        }
    }

    /** Only now is it known how far back the blocks of the subdirectories are. */
    private void writeBlock(Level level) throws IOException {
        long block = position;
        long length = VarInt.unsignedLength(level.entries) + (long) level.filled;
        for (int i = 0; i < level.directories; i++) {
            length += VarInt.unsignedLength(block - level.blocks[i]);
        }
        writeNumber(length);
        writeNumber(level.entries);
        int from = 0;
        for (int i = 0; i < level.directories; i++) {
            write(level.data, from, level.gaps[i] - from);
            writeNumber(block - level.blocks[i]);
            from = level.gaps[i];
        }
        write(level.data, from, level.filled - from);
    }

    private void writeNumber(long value) throws IOException {
        write(number, 0, VarInt.putUnsigned(value, number, 0));
    }

    private void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
    }

    /** The entries of an open directory, encoded but for the distances, whose places are kept as gaps. */
    private static final class Level {

        private final byte[] name;
        private byte[] data = new byte[64];
        private int filled;
        private long entries;
        private int[] gaps = new int[4];
        private long[] blocks = new long[4];
        private int directories;

        Level(byte[] name) {
            this.name = name;
        }

        void add(CatalogType type, byte[] entryName) {
            byte[] head = new byte[1 + VarInt.MAX_UNSIGNED];
            head[0] = (byte) type.letter();
            append(head, VarInt.putUnsigned(entryName.length, head, 1));
            append(entryName, entryName.length);
            entries++;
        }

        void addDirectory(byte[] entryName, long block) {
            add(CatalogType.DIRECTORY, entryName);
            if (directories == gaps.length) {
                gaps = Arrays.copyOf(gaps, 2 * directories);
                blocks = Arrays.copyOf(blocks, 2 * directories);
            }
            gaps[directories] = filled;
            blocks[directories++] = block;
        }

        void append(byte[] bytes, int length) {
            int needed = Math.addExact(filled, length);
            if (needed > data.length) {
                data = Arrays.copyOf(data, (int) Math.min(Math.max(needed, 2L * data.length), Integer.MAX_VALUE - 8));
            }
            System.arraycopy(bytes, 0, data, filled, length);
            filled = needed;
        }
    }
}
