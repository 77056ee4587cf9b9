package dev.holdfast.datastore;

import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes one store, and remembers what it has made. For one use. */
final class StoreCreation {

    /** The account of Proxmox Backup Server's daemons; a store of theirs must be usable by them. */
    private static final String SERVICE_ACCOUNT = "backup";

    private final PosixFiles files;
    private final StoreSettings settings;
    private final DatastoreLayout layout;
    private final List<Path> made = new ArrayList<>();

    StoreCreation(StoreEnvironment environment, StoreSettings settings) {
        this.files = environment.files();
        this.settings = settings;
        this.layout = settings.layout();
    }

    void run() throws DatastoreException {
        Path root = layout.root();
        if (root.getParent() == null) {
            throw new SafetyException(
                    "/", "the root of the system cannot become a datastore; choose a directory below");
        }
        FileOwner owner = owner();
        StoreFiles store = new StoreFiles(files, owner);
        requireEmpty(store, root);
        try {
            makeParents(root.getParent());
            make(root, owner);
            if (store.createEmpty(layout.lockFile())) {
                made.add(layout.lockFile());
            }
            made.add(layout.chunks());
            FilesystemChunkStore.create(
                    files,
                    new FilesystemChunkStore.Config(
                            settings.name(),
                            layout.chunks(),
                            owner,
                            settings.tuning().syncLevel(),
                            settings.tuning().gcTouchWorkers()));
        } catch (PosixException | DatastoreException e) {
            throw new DatastoreException(
                    "datastore '" + settings.name() + "' was not made: " + e.getMessage() + leftBehind(store), e);
        }
    }

    private FileOwner owner() throws DatastoreException {
        if (files.effectiveUid() != 0) {
            return FileOwner.UNCHANGED;
        }
        try {
            int[] account = files.account(SERVICE_ACCOUNT);
            return account == null ? new FileOwner(0, 0) : new FileOwner(account[0], account[1]);
        } catch (PosixException e) {
            throw new DatastoreException("cannot look up the account " + SERVICE_ACCOUNT + ": " + e.getMessage(), e);
        }
    }

    private void requireEmpty(StoreFiles store, Path root) throws DatastoreException {
        Optional<List<StoreFiles.Entry>> entries = store.list(root);
        if (entries.isEmpty()) {
            return;
        }
        for (StoreFiles.Entry entry : entries.get()) {
            if (entry.name().equals(".chunks")) {
                throw new AlreadyExistsException(
                        settings.name(),
                        root + " has a .chunks already: use 'datastore add' if it is a datastore, or remove what an"
                                + " earlier attempt left");
            }
            if (!entry.name().startsWith(".") && !entry.name().equals("lost+found")) {
                throw new SafetyException(
                        root.toString(),
                        root + " is not empty, it holds '" + entry.name() + "'; choose an empty directory");
            }
        }
    }

    private void makeParents(Path parent) throws PosixException {
        Path path = parent.getRoot();
        for (Path component : parent) {
            path = path.resolve(component);
            if (files.makeDirectory(path, DatastoreLayout.ROOT_MODE)) {
                made.add(path);
            }
        }
    }

    private void make(Path root, FileOwner owner) throws PosixException {
        if (files.makeDirectory(root, DatastoreLayout.ROOT_MODE)) {
            made.add(root);
        }
        if (!owner.equals(FileOwner.UNCHANGED)) {
            files.changeOwner(root, owner.uid(), owner.gid());
        }
    }

    private String leftBehind(StoreFiles store) {
        List<String> left = new ArrayList<>();
        for (Path path : made) {
            try {
                if (store.typeOf(path).isPresent()) {
                    left.add(path.toString());
                }
            } catch (DatastoreException e) {
                left.add(path + " (perhaps)");
            }
        }
        return left.isEmpty()
                ? "; nothing was left behind"
                : "; left behind, remove before the next attempt: " + String.join(", ", left);
    }
}
