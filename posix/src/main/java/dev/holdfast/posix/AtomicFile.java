package dev.holdfast.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Replaces a file whole or not at all: temporary file in the same directory, optional fsync, rename, optional fsync of
 * the directory. The temporary name is the final name with {@code .tmp_XXXXXX} appended (six random letters or digits),
 * and is removed when anything fails.
 */
public final class AtomicFile {

    private AtomicFile() {}

    /** Who owns the new file, and with which permission bits. */
    public record Attributes(FileOwner owner, int mode) {}

    /** How far the new content has reached the disk when the call returns. */
    public enum Durability {
        /** As the filesystem pleases. */
        NONE,
        /** File content before the rename, directory entry after it. */
        FSYNC
    }

    /** Writes the remaining bytes of {@code content} as the whole new content of {@code path}. */
    public static void replace(
            PosixFiles files, Path path, ByteBuffer content, Attributes attributes, Durability durability)
            throws IOException {
        throw new UnsupportedOperationException("skeleton");
    }
}
