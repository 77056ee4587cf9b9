package dev.holdfast.archive.pxar;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes records, and knows where it stands. */
final class RecordOutput {

    private final OutputStream out;
    private final ByteBuffer words = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    private long position;

    RecordOutput(OutputStream out) {
        this.out = out;
    }

    long position() {
        return position;
    }

    void header(long type, long contentSize) throws IOException {
        words.clear().putLong(type).putLong(RecordType.HEADER + contentSize);
        flushWords();
    }

    /** A whole record of 64-bit words, six at the most. */
    void record(long type, long... content) throws IOException {
        words.clear().putLong(type).putLong(RecordType.HEADER + 8L * content.length);
        for (long word : content) {
            words.putLong(word);
        }
        flushWords();
    }

    /** Three words: an item of a goodbye table. */
    void item(long hash, long offset, long size) throws IOException {
        words.clear().putLong(hash).putLong(offset).putLong(size);
        flushWords();
    }

    void entry(EntryStat stat) throws IOException {
        words.clear().putLong(RecordType.ENTRY).putLong(RecordType.HEADER + RecordType.ENTRY_CONTENT);
        words.putLong(stat.mode()).putLong(stat.flags());
        words.putInt((int) stat.uid()).putInt((int) stat.gid());
        words.putLong(stat.mtime().seconds()).putInt(stat.mtime().nanos()).putInt(0);
        flushWords();
    }

    /** A record of bytes with a closing NUL. */
    void terminated(long type, byte[] bytes) throws IOException {
        header(type, bytes.length + 1L);
        bytes(bytes, 0, bytes.length);
        bytes(new byte[1], 0, 1);
    }

    void bytes(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        position += length;
    }

    private void flushWords() throws IOException {
        bytes(words.array(), 0, words.position());
    }
}
