package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.posix.FileStat;
import java.nio.charset.StandardCharsets;

/** The file that a walk has come to: one object for all of them, which makes nothing unless it is asked. */
final class SweptFile implements SweepEntry {

    private final String root;
    private final FileStat stat;
    private byte[] name = new byte[0];
    private Kind kind = Kind.CHUNK;
    private int prefix;

    /** @param stat filled by the walk for each file */
    SweptFile(String root, FileStat stat) {
        this.root = root;
        this.stat = stat;
    }

    void set(byte[] name, Kind kind, int prefix) {
        this.name = name;
        this.kind = kind;
        this.prefix = prefix;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public ChunkDigest digest() {
        byte[] bytes = new byte[ChunkDigest.BYTES];
        copyDigest(bytes, 0);
        return ChunkDigest.of(bytes);
    }

    @Override
    public void copyDigest(byte[] target, int offset) {
        for (int i = 0; i < ChunkDigest.BYTES; i++) {
            target[offset + i] = (byte) (digit(2 * i) << 4 | digit(2 * i + 1));
        }
    }

    private int digit(int index) {
        return Character.digit(name[index], 16);
    }

    @Override
    public long size() {
        return stat.size();
    }

    @Override
    public long accessSeconds() {
        return stat.accessSeconds();
    }

    @Override
    public boolean misplaced() {
        return (digit(0) << 12 | digit(1) << 8 | digit(2) << 4 | digit(3)) != prefix || hasUpperCase();
    }

    private boolean hasUpperCase() {
        for (int i = 0; i < ChunkDigest.HEX_DIGITS; i++) {
            if (name[i] >= 'A' && name[i] <= 'F') {
                return true;
            }
        }
        return false;
    }

    @Override
    public String path() {
        return root + "/" + new String(ChunkName.prefix(prefix), StandardCharsets.US_ASCII) + "/"
                + new String(name, StandardCharsets.US_ASCII);
    }
}
