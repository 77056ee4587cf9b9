package dev.holdfast.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

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

    /** Writes the content of a new file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(WritableFile file) throws IOException;
    }

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /** Names tried before giving up: with 62^6 names, a second try is already unlikely. */
    private static final int ATTEMPTS = 16;

    /**
     * Writes the remaining bytes of {@code content} as the whole new content of {@code path}; the position of
     * {@code content} stays, so that a caller may try again.
     */
    public static void replace(
            PosixFiles files, Path path, ByteBuffer content, Attributes attributes, Durability durability)
            throws IOException {
        replace(files, path, (WritableFile file) -> file.write(0, content.duplicate()), attributes, durability);
    }

    /** As above, with content that need not be in memory at once. */
    public static void replace(
            PosixFiles files, Path path, Content content, Attributes attributes, Durability durability)
            throws IOException {
        Path temporary = null;
        try {
            try (WritableFile file = createTemporary(files, path, attributes.mode())) {
                temporary = Path.of(file.path());
                if (!attributes.owner().equals(FileOwner.UNCHANGED)) {
                    file.changeOwner(
                            attributes.owner().uid(), attributes.owner().gid());
                }
                content.writeTo(file);
                if (durability == Durability.FSYNC) {
                    file.fsync();
                }
            }
            files.rename(temporary, path);
        } catch (IOException | RuntimeException e) {
            removeAfter(e, files, temporary);
            throw e;
        }
        if (durability == Durability.FSYNC) {
            Path parent = path.getParent();
            try (DirectoryHandle directory = files.openDirectory(parent == null ? Path.of(".") : parent)) {
                directory.fsync();
            }
        }
    }

    private static WritableFile createTemporary(PosixFiles files, Path path, int mode) throws PosixException {
        for (int attempt = 1; ; attempt++) {
            try {
                return files.create(path.resolveSibling(path.getFileName() + ".tmp_" + randomLetters()), mode);
            } catch (PosixException e) {
                if (e.errno() != Errno.EEXIST || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static String randomLetters() {
        StringBuilder text = new StringBuilder(6);
        for (int i = 0; i < 6; i++) {
            text.append(ALPHABET.charAt(ThreadLocalRandom.current().nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private static void removeAfter(Exception failure, PosixFiles files, @Nullable Path temporary) {
        if (temporary == null) {
            return;
        }
        try {
            var unused = files.unlink(temporary);
        } catch (PosixException e) {
            failure.addSuppressed(e);
        }
    }
}
