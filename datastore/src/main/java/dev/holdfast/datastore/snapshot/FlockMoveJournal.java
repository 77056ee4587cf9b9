package dev.holdfast.datastore.snapshot;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal in the lock directory of a store: one absolute path per line, UTF-8, guarded by a flock on the journal
 * itself. A missing journal is empty, and reading does not make one.
 *
 * <p>A last line without its end is handed out like any other: its mover crashed while writing it, before the move, so the
 * path names nothing, or it is complete and counts. Safe for use by any thread.
 */
public final class FlockMoveJournal implements MoveJournal {

    /** Greatest length that is read, in bytes: about a million lines. */
    private static final long MAX_BYTES = 256L << 20;

    private final PosixFiles files;
    private final DirectoryLocks locks;

    public FlockMoveJournal(PosixFiles files, DirectoryLocks locks) {
        this.files = files;
        this.locks = locks;
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void drain(PathConsumer consumer) throws DatastoreException {
        // A move that is announced after this look is renamed after it too, when its source has been marked already.
        if (!exists()) {
            return;
        }
        try (DirectoryLocks.Guard guard = locks.lockMoveJournal()) {
            peek(consumer);
            files.truncate(locks.moveJournal(), 0);
        } catch (PosixException e) {
            throw failure(e);
        }
    }

    @Override
    public void peek(PathConsumer consumer) throws DatastoreException {
        for (Path path : read()) {
            consumer.accept(path);
        }
    }

    private boolean exists() throws DatastoreException {
        try {
            return files.stat(locks.moveJournal(), true, new FileStat());
        } catch (PosixException e) {
            throw failure(e);
        }
    }

    private List<Path> read() throws DatastoreException {
        Path journal = locks.moveJournal();
        try (ReadableFile file = files.openForReading(journal)) {
            long size = file.size();
            if (size > MAX_BYTES) {
                throw new FormatException(
                        journal.toString(),
                        "the move journal " + journal + " has " + size + " bytes, more than " + MAX_BYTES
                                + "; look what wrote it, and remove it if no move of a snapshot was cut off");
            }
            ByteBuffer content = ByteBuffer.allocate((int) size);
            var unused = file.read(0, content);
            return parse(content.flip());
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return List.of();
            }
            throw failure(e);
        }
    }

    private List<Path> parse(ByteBuffer content) throws FormatException {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(content).toString();
        } catch (CharacterCodingException e) {
            throw malformed("it is not UTF-8", e);
        }
        List<Path> paths = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (line.isEmpty()) {
                continue;
            }
            try {
                Path path = Path.of(line);
                if (!path.isAbsolute()) {
                    throw malformed("the line '" + line + "' is no absolute path", null);
                }
                paths.add(path);
            } catch (InvalidPathException e) {
                throw malformed("the line '" + line + "' is no path", e);
            }
        }
        return paths;
    }

    private FormatException malformed(String why, @Nullable Throwable cause) {
        Path journal = locks.moveJournal();
        return new FormatException(
                journal.toString(),
                "the move journal " + journal + " cannot be read: " + why
                        + "; remove it if no move of a snapshot was cut off",
                cause);
    }

    private DatastoreException failure(PosixException e) {
        return new DatastoreException("the move journal cannot be used: " + e.getMessage(), e);
    }
}
