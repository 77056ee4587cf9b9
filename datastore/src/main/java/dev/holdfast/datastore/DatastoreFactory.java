package dev.holdfast.datastore;

import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotContext;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes, adopts, opens and destroys stores on a local filesystem. Safe for use by any thread. */
public final class DatastoreFactory {

    private final StoreEnvironment environment;

    public DatastoreFactory(StoreEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Makes a new store: missing parents and the root (0755), {@code .lock} (0644), {@code .chunks} and its 65536 prefix
     * directories (0750). As root, everything but the parents goes to the account {@code backup} if it exists.
     *
     * @throws dev.holdfast.datastore.error.AlreadyExistsException if there is a store
     * @throws dev.holdfast.datastore.error.SafetyException if the directory holds anything but hidden files and
     *     {@code lost+found}
     * @throws DatastoreException for every other failure; the message says what was left behind
     */
    public void create(StoreSettings settings) throws DatastoreException {
        new StoreCreation(environment, settings).run();
    }

    /**
     * Looks whether an existing directory is a store that can be used, and changes nothing.
     *
     * @return what deviates from the layout without making it unusable, one sentence each, at most a few dozen
     * @throws SnapshotMissingException if the directory is not there
     * @throws DatastoreException if it is no store: {@code .chunks} is missing or no directory
     */
    public List<String> adopt(StoreSettings settings) throws DatastoreException {
        requireStore(settings.layout());
        return new StoreSurvey(environment.files(), settings.layout()).run();
    }

    /**
     * Opens a store.
     *
     * @param mode {@link AccessMode#READ_ONLY} creates nothing below the root, not even a missing lock file
     * @throws SnapshotMissingException if the directory is not there, for example because nothing is mounted
     * @throws DatastoreException if it is no store
     */
    public FilesystemDatastore open(StoreSettings settings, AccessMode mode) throws DatastoreException {
        DatastoreLayout layout = settings.layout();
        FileOwner owner = ownerOf(requireStore(layout));
        ChunkStore chunks = FilesystemChunkStore.open(
                environment.files(),
                new FilesystemChunkStore.Config(
                        settings.name(),
                        layout.chunks(),
                        owner,
                        settings.tuning().syncLevel(),
                        settings.tuning().gcTouchWorkers()),
                new ChunkLocks());
        boolean opened = false;
        try {
            SnapshotContext context = new SnapshotContext(
                    settings.name(),
                    layout,
                    environment.files(),
                    owner,
                    environment.clock(),
                    chunks,
                    new DirectoryLocks(environment.files(), environment.lockDirectory(), settings.name(), owner),
                    mode == AccessMode.READ_WRITE ? processLock(layout, owner) : null,
                    settings.tuning().syncLevel());
            FilesystemDatastore store = new FilesystemDatastore(settings, context);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                chunks.close();
            }
        }
    }

    /**
     * Removes a store with all its data, in the order of the layout: namespaces and groups, the status file, chunks, the
     * lock file, the root.
     *
     * @return what was left behind on purpose, one sentence each
     * @throws dev.holdfast.datastore.error.LockTimeoutException if the store is being written
     * @throws DatastoreException at the first failure; chunks are still there unless everything before them has gone
     */
    public List<String> destroy(StoreSettings settings) throws DatastoreException {
        DatastoreLayout layout = settings.layout();
        FileOwner owner = ownerOf(requireStore(layout));
        try (ProcessLock lock = processLock(layout, owner)) {
            return new StoreRemoval(new StoreFiles(environment.files(), owner), layout).run(lock);
        }
    }

    private ProcessLock processLock(DatastoreLayout layout, FileOwner owner) throws DatastoreException {
        // Made here if it is missing, so that it gets the store's owner.
        var unused = new StoreFiles(environment.files(), owner).createEmpty(layout.lockFile());
        return ProcessLock.open(environment.files(), layout.lockFile(), environment.clock());
    }

    /** As root, files get the owner of the store's root; otherwise they are left to whoever runs the process. */
    private FileOwner ownerOf(FileStat root) {
        return environment.files().effectiveUid() == 0 ? new FileOwner(root.uid(), root.gid()) : FileOwner.UNCHANGED;
    }

    /** Both the root and {@code .chunks} may be links. */
    private FileStat requireStore(DatastoreLayout layout) throws DatastoreException {
        FileStat root = stat(layout.root());
        if (root == null) {
            throw new SnapshotMissingException(
                    layout.root().toString(), "there is no " + layout.root() + "; is its filesystem mounted?");
        }
        FileStat chunks = root.type() == FileType.DIRECTORY ? stat(layout.chunks()) : null;
        if (chunks == null || chunks.type() != FileType.DIRECTORY) {
            throw new DatastoreException(
                    layout.root() + " is no datastore: it has no directory .chunks; is its filesystem mounted?");
        }
        return root;
    }

    private @Nullable FileStat stat(Path path) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            return environment.files().stat(path, true, stat) ? stat : null;
        } catch (PosixException e) {
            throw StoreFiles.failure("look at", path, e);
        }
    }
}
