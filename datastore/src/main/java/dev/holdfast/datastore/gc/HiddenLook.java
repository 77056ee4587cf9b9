package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A short look into a hidden directory: the mark does not enter it, so if it holds an index somebody should know that it
 * protects nothing. Bounded, because it may hold a filesystem's snapshots of the whole store; what cannot be read is
 * reported and nothing more.
 */
final class HiddenLook {

    private static final int MAX_ENTRIES = 2000;
    private static final int MAX_DIRECTORIES = 100;

    private final PosixFiles files;
    private final TaskContext task;
    private final GcWarnings warnings;

    HiddenLook(PosixFiles files, TaskContext task, GcWarnings warnings) {
        this.files = files;
        this.task = task;
        this.warnings = warnings;
    }

    /** Warns of the first index that it finds below a hidden directory. */
    void look(Path hidden, String relative) throws DatastoreException {
        Deque<Path> waiting = new ArrayDeque<>();
        waiting.add(hidden);
        int entries = 0;
        for (int i = 0; i < MAX_DIRECTORIES && !waiting.isEmpty(); i++) {
            task.checkAbort();
            Path directory = waiting.remove();
            try (DirectoryHandle handle = files.openDirectory(directory)) {
                DirectoryEntry entry = handle.next();
                while (entry != null && entries++ < MAX_ENTRIES) {
                    if (entry.type() == FileType.DIRECTORY) {
                        waiting.add(directory.resolve(entry.text()));
                    } else if (IndexWalk.isIndexName(entry.name())) {
                        warnings.add(
                                "hidden-index",
                                relative,
                                "hidden directory " + relative + " holds indexes, for example "
                                        + directory.resolve(new String(entry.name(), StandardCharsets.UTF_8))
                                        + "; they protect no chunk");
                        return;
                    }
                    entry = handle.next();
                }
            } catch (PosixException e) {
                if (e.errno() != Errno.ENOENT) {
                    warnings.add(
                            "unreadable-hidden",
                            relative,
                            "hidden directory " + relative + " cannot be read and was skipped: " + e.getMessage());
                }
            } catch (InvalidPathException e) {
                warnings.add(
                        "unreadable-hidden",
                        relative,
                        "hidden directory " + relative + " holds names that cannot be read");
            }
        }
    }
}
