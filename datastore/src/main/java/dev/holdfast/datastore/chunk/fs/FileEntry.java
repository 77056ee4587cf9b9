package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.posix.FileStat;
import java.nio.charset.StandardCharsets;

/** The file that a sweep has come to, in fields that are reused for the next one. */
final class FileEntry implements SweepEntry {

    private final FileStat stat = new FileStat();
    private byte[] name = new byte[0];
    private ChunkName.Kind kind = ChunkName.Kind.OTHER;
    private int prefix;
    private String directory = "";

    void enter(int newPrefix, String newDirectory) {
        prefix = newPrefix;
        directory = newDirectory;
    }

    void set(byte[] newName, ChunkName.Kind newKind) {
        name = newName;
        kind = newKind;
    }

    FileStat stat() {
        return stat;
    }

    byte[] name() {
        return name;
    }

    @Override
    public Kind kind() {
        return switch (kind) {
            case CHUNK -> Kind.CHUNK;
            case BAD -> Kind.BAD;
            default -> Kind.EXPECTED_MARK;
        };
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
            target[offset + i] = (byte) (hex(2 * i) << 4 | hex(2 * i + 1));
        }
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
        return (hex(0) << 12 | hex(1) << 8 | hex(2) << 4 | hex(3)) != prefix;
    }

    @Override
    public String path() {
        return directory + "/" + new String(name, StandardCharsets.US_ASCII);
    }

    private int hex(int index) {
        return Character.digit(name[index], 16);
    }
}
