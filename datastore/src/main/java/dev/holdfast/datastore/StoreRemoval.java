package dev.holdfast.datastore;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.FileType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes the data of one store. What refers to chunks goes before the chunks, so that a removal that stops half way leaves
 * fewer snapshots, not damaged ones; files that are not the store's stay.
 */
final class StoreRemoval {

    private final StoreFiles files;
    private final DatastoreLayout layout;

    StoreRemoval(StoreFiles files, DatastoreLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    @SuppressWarnings("try") // the guard is only held
    List<String> run(ProcessLock lock) throws DatastoreException {
        List<String> left = new ArrayList<>();
        try (ProcessLock.Guard guard = lock.acquireExclusive()) {
            if (lock.oldestWriter().isPresent()) {
                throw new LockTimeoutException(
                        layout.lockFile().toString(),
                        layout.root() + " is not removed: a backup into it is running in this process");
            }
            for (String part : List.of("ns", "ct", "vm", "host")) {
                files.removeTree(layout.root().resolve(part));
            }
            var unused = files.unlink(layout.gcStatusFile());
            removeChunks(left);
            unused = files.unlink(layout.lockFile());
        }
        try {
            if (!files.removeEmptyDirectory(layout.root())) {
                left.add(layout.root() + " stays, because it holds other files");
            }
        } catch (DatastoreException e) {
            // Typical for a mount point, or a link to the store: the data is gone, the place is not ours to remove.
            left.add(layout.root() + " stays: " + e.getMessage());
        }
        return left;
    }

    /** Where {@code .chunks} is a link, the directory that it points to is emptied and stays. */
    private void removeChunks(List<String> left) throws DatastoreException {
        Path chunks = layout.chunks();
        if (files.typeOf(chunks).filter(type -> type == FileType.SYMLINK).isPresent()) {
            files.removeContents(chunks);
            left.add("the directory that " + chunks + " pointed to stays, empty");
        }
        files.removeTree(chunks);
    }
}
