package dev.holdfast.testkit;

import dev.holdfast.api.model.ChunkDigest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A small complete store, made by another implementation of the formats: plain, protected, unfinished and encrypted
 * snapshots, and orphans among its chunks. Only the prefix directories that it needs exist. The encrypted snapshot was made
 * with {@link #key}.
 */
public final class MiniDatastore {

    /** A chunk that no index names. */
    public static final ChunkDigest ORPHAN =
            ChunkDigest.parse("540be8899b5c135b63198bdd2ad3323e8396df524785604c3b9af43e026df5ff");

    private static final int BLOCK = 512;

    private MiniDatastore() {}

    /** The data key of the encrypted snapshot: the bytes 0 to 31. */
    public static byte[] key() {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        return key;
    }

    /**
     * Unpacks the store below a directory, with the modes and times of the archive, access times being set to the
     * modification times. Owners are left to whoever runs the test.
     *
     * @return the store's root
     */
    public static Path unpack(Path directory) throws IOException {
        try (InputStream tar = MiniDatastore.class.getResourceAsStream("mini-datastore.tar")) {
            if (tar == null) {
                throw new IOException("the archive is missing from the test resources");
            }
            List<Timed> directories = new ArrayList<>();
            byte[] header = new byte[BLOCK];
            while (tar.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
                Path path = directory.resolve(text(header, 0, 100)).normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("the archive leaves its directory: " + path);
                }
                int mode = (int) octal(header, 100, 8);
                long size = octal(header, 124, 12);
                FileTime time = FileTime.fromMillis(octal(header, 136, 12) * 1000);
                if (header[156] == '5') {
                    Files.createDirectories(path);
                    directories.add(new Timed(path, mode, time));
                } else {
                    Files.write(path, content(tar, size));
                    new Timed(path, mode, time).apply();
                }
            }
            // From the leaves up: a file that is made in a directory changes the directory's time.
            for (int i = directories.size() - 1; i >= 0; i--) {
                directories.get(i).apply();
            }
        }
        return directory.resolve("mini");
    }

    private static byte[] content(InputStream tar, long size) throws IOException {
        byte[] content = tar.readNBytes((int) size);
        if (content.length != size) {
            throw new EOFException("the archive ends inside a file");
        }
        tar.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        return content;
    }

    private static String text(byte[] header, int offset, int length) {
        int end = offset;
        while (end < offset + length && header[end] != 0) {
            end++;
        }
        return new String(header, offset, end - offset, StandardCharsets.US_ASCII);
    }

    private static long octal(byte[] header, int offset, int length) {
        return Long.parseLong(text(header, offset, length).trim(), 8);
    }

    private record Timed(Path path, int mode, FileTime time) {

        void apply() throws IOException {
            Files.setPosixFilePermissions(path, permissions());
            Files.getFileAttributeView(path, BasicFileAttributeView.class).setTimes(time, time, null);
        }

        private Set<PosixFilePermission> permissions() {
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            PosixFilePermission[] all = PosixFilePermission.values();
            for (int bit = 0; bit < all.length; bit++) {
                if ((mode & (0400 >> bit)) != 0) {
                    permissions.add(all[bit]);
                }
            }
            return permissions;
        }
    }
}
