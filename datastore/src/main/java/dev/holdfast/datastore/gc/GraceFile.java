package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.ReadableFile;
import dev.holdfast.posix.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The file {@code .gc-grace} in a store's root, in which a {@link GraceBook} outlives its run. Proxmox Backup Server does not
 * look at it. All numbers are little-endian.
 *
 * <pre>
 *   8  magic "hfgrace1"
 *   8  number of records
 *  40  each: 32 bytes of digest, 8 of Unix seconds
 *  32  SHA-256 of all before
 * </pre>
 *
 * <p>It is replaced whole, after the sweep. A file that is lost or damaged makes all grace begin anew, and so does every
 * trouble here: chunks then stay longer, never shorter.
 */
final class GraceFile {

    static final String NAME = ".gc-grace";

    private static final byte[] MAGIC = "hfgrace1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 16;
    private static final int RECORD = 40;
    private static final int BUFFER = RECORD * 1024;

    private final GcStore store;
    private final Path path;

    GraceFile(GcStore store) {
        this.store = store;
        this.path = store.layout().root().resolve(NAME);
    }

    /** The notes of the last run; an empty book if there is no grace, or no file that can be trusted. */
    GraceBook load(long start, GcWarnings warnings) {
        long grace = store.tuning().gcGraceMinutes() * 60L;
        if (grace == 0) {
            return new GraceBook(start, 0);
        }
        GraceBook book = new GraceBook(start, grace);
        try (ReadableFile file = store.files().openForReading(path)) {
            read(file, book);
            return book;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return book;
            }
            warn(warnings, e);
        } catch (IOException e) {
            warn(warnings, e);
        }
        return new GraceBook(start, grace);
    }

    private static void warn(GcWarnings warnings, IOException e) {
        warnings.add(
                "grace-lost",
                NAME,
                "the file " + NAME + " cannot be used: " + e.getMessage()
                        + "; the grace of all unreferenced chunks begins anew");
    }

    private void read(ReadableFile file, GraceBook book) throws IOException {
        MessageDigest sha = sha256();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
        fill(file, 0, buffer.limit(HEADER));
        sha.update(buffer.array(), 0, HEADER);
        byte[] magic = new byte[MAGIC.length];
        buffer.get(0, magic);
        long count = buffer.getLong(8);
        if (!MessageDigest.isEqual(magic, MAGIC)
                || count < 0
                || count > Integer.MAX_VALUE / 2
                || file.size() != HEADER + count * RECORD + ChunkDigest.BYTES) {
            throw new IOException("it is damaged");
        }
        byte[] digest = new byte[ChunkDigest.BYTES];
        long position = HEADER;
        for (long left = count * RECORD; left > 0; left -= buffer.limit()) {
            fill(file, position, buffer.clear().limit((int) Math.min(left, BUFFER)));
            sha.update(buffer.array(), 0, buffer.limit());
            position += buffer.limit();
            for (int at = 0; at < buffer.limit(); at += RECORD) {
                buffer.get(at, digest);
                book.remember(digest, buffer.getLong(at + ChunkDigest.BYTES));
            }
        }
        fill(file, position, buffer.clear().limit(ChunkDigest.BYTES));
        buffer.get(0, digest);
        if (!MessageDigest.isEqual(digest, sha.digest())) {
            throw new IOException("it is damaged");
        }
    }

    private static void fill(ReadableFile file, long position, ByteBuffer buffer) throws IOException {
        int wanted = buffer.position(0).limit();
        if (file.read(position, buffer) != wanted) {
            throw new IOException("it is too short");
        }
    }

    /**
     * Keeps what this run has found, or removes the file where there is nothing to keep: notes of an older run must not
     * outlive it, because nobody would see that a chunk was used in between.
     */
    void save(GraceBook book, GcWarnings warnings) {
        try {
            if (book.currentSize() == 0) {
                var unused = store.files().unlink(path);
                return;
            }
            AtomicFile.replace(
                    store.files(),
                    path,
                    file -> write(file, book),
                    new AtomicFile.Attributes(owner(), DatastoreLayout.FILE_MODE),
                    Durability.NONE);
        } catch (IOException e) {
            String fate = "removed";
            try {
                var unused = store.files().unlink(path);
            } catch (PosixException second) {
                e.addSuppressed(second);
                fate = "cannot be removed either, remove it by hand";
            }
            warnings.add(
                    "grace-not-saved",
                    NAME,
                    "since when chunks are unreferenced could not be saved: " + e.getMessage() + "; the old notes are "
                            + fate + ", and the grace of all chunks begins anew");
        }
    }

    private static void write(WritableFile file, GraceBook book) throws IOException {
        MessageDigest sha = sha256();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC).putLong(book.currentSize());
        long[] position = {0};
        book.<IOException>forEachCurrent((digest, first) -> {
            if (buffer.remaining() < RECORD) {
                flush(file, buffer, sha, position);
            }
            buffer.put(digest).putLong(first);
        });
        flush(file, buffer, sha, position);
        file.write(position[0], ByteBuffer.wrap(sha.digest()));
    }

    private static void flush(WritableFile file, ByteBuffer buffer, MessageDigest sha, long[] position)
            throws PosixException {
        buffer.flip();
        sha.update(buffer.duplicate());
        int length = buffer.remaining();
        file.write(position[0], buffer);
        position[0] += length;
        buffer.clear();
    }

    /** Whoever owns the store owns its files; only root can see to that. */
    private FileOwner owner() throws PosixException {
        FileStat stat = new FileStat();
        if (store.files().effectiveUid() != 0
                || !store.files().stat(store.layout().root(), true, stat)) {
            return FileOwner.UNCHANGED;
        }
        return new FileOwner(stat.uid(), stat.gid());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
