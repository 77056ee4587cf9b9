package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.posix.FileType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A snapshot as a directory. */
final class SnapshotPlace implements SnapshotDirectory {

    static final int MANIFEST_LIMIT = DataBlob.MAX_DATA_BYTES;

    private static final String PROTECTED = ".protected";

    private final SnapshotContext context;
    private final StoreFiles files;
    private final BackupNamespace namespace;
    private final SnapshotId id;
    private final Path path;

    SnapshotPlace(SnapshotContext context, BackupNamespace namespace, SnapshotId id) {
        this.context = context;
        this.files = context.storeFiles();
        this.namespace = namespace;
        this.id = id;
        this.path = context.layout().snapshot(namespace, id);
    }

    @Override
    public BackupNamespace namespace() {
        return namespace;
    }

    @Override
    public SnapshotId id() {
        return id;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public boolean exists() throws DatastoreException {
        return files.isDirectory(path);
    }

    @Override
    public List<String> fileNames() throws DatastoreException {
        requireExists();
        return files.list(path).orElseThrow(this::missing).stream()
                .filter(entry -> entry.type() == FileType.REGULAR && isArchive(entry.name()))
                .map(StoreFiles.Entry::name)
                .sorted()
                .toList();
    }

    private static boolean isArchive(String name) {
        return name.endsWith(".fidx") || name.endsWith(".didx") || name.endsWith(".blob");
    }

    /** Anything of the manifest's name counts, even what is no regular file: in doubt the snapshot is somebody's. */
    @Override
    public boolean isFinished() throws DatastoreException {
        return files.typeOf(manifestPath()).isPresent();
    }

    /** Anything of that name protects. */
    @Override
    public boolean isProtected() throws DatastoreException {
        return files.typeOf(path.resolve(PROTECTED)).isPresent();
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void setProtected(boolean isProtected) throws DatastoreException {
        context.requireWritable(path);
        requireExists();
        try (var guard = context.locks().lockSnapshot(namespace, id, LockMode.EXCLUSIVE)) {
            requireExists();
            if (isProtected) {
                var unused = files.createEmpty(path.resolve(PROTECTED));
            } else {
                var unused = files.unlink(path.resolve(PROTECTED));
            }
        }
    }

    @Override
    public BackupManifest manifest() throws DatastoreException {
        Path file = manifestPath();
        Optional<byte[]> content = files.read(file, MANIFEST_LIMIT);
        if (content.isEmpty()) {
            requireExists();
            throw new SnapshotMissingException(
                    id.toString(), "snapshot " + id + " is unfinished: it has no manifest (" + file + ")");
        }
        return BackupManifest.fromBlob(DataBlob.parse(content.get(), file.toString()), file.toString());
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void updateManifest(UnaryOperator<BackupManifest> change) throws DatastoreException {
        context.requireWritable(path);
        requireExists();
        try (var guard = context.locks().lockManifest(namespace, id)) {
            files.replace(manifestPath(), change.apply(manifest()).toBlob().encoded(), context.manifestDurability());
        }
    }

    @Override
    public SnapshotReader open(@Nullable CryptConfig crypt) throws DatastoreException {
        requireExists();
        DirectoryLocks.Guard guard = context.locks().lockSnapshot(namespace, id, LockMode.SHARED);
        boolean opened = false;
        try {
            BackupManifest manifest = manifest();
            if (crypt != null) {
                manifest.checkSignature(crypt, manifestPath().toString());
            }
            OpenSnapshot reader = new OpenSnapshot(context, this, manifest, crypt, guard);
            opened = true;
            return reader;
        } finally {
            if (!opened) {
                guard.close();
            }
        }
    }

    @Override
    public void forget() throws DatastoreException {
        context.requireWritable(path);
        requireExists();
        if (!removeUnlessProtected()) {
            throw new SafetyException(
                    path.toString(), "snapshot " + id + " is protected; unprotect it before it is forgotten");
        }
        new GroupPlace(context, namespace, id.group()).removeIfLast();
    }

    /**
     * Takes the snapshot's locks and removes it.
     *
     * @return false if it is protected
     */
    boolean removeUnlessProtected() throws DatastoreException {
        DirectoryLocks.Guard snapshotGuard = context.locks().lockSnapshot(namespace, id, LockMode.EXCLUSIVE);
        try {
            requireExists();
            if (isProtected()) {
                return false;
            }
            DirectoryLocks.Guard manifestGuard = context.locks().lockManifest(namespace, id);
            try {
                removeFiles();
                manifestGuard.removeAndClose();
            } finally {
                manifestGuard.close();
            }
            snapshotGuard.removeAndClose();
            return true;
        } finally {
            snapshotGuard.close();
        }
    }

    /**
     * Under the snapshot's exclusive lock: the manifest goes first, so that a crash in between leaves an unfinished
     * snapshot, which prune removes, and never a finished one that lacks archives.
     */
    void removeFiles() throws DatastoreException {
        var unused = files.unlink(manifestPath());
        files.removeTree(path);
    }

    Path manifestPath() {
        return path.resolve(ArchiveName.MANIFEST.text());
    }

    private void requireExists() throws DatastoreException {
        if (!exists()) {
            throw missing();
        }
    }

    private SnapshotMissingException missing() {
        String in = namespace.isRoot() ? "" : " in namespace '" + namespace + "'";
        return new SnapshotMissingException(
                id.toString(), "datastore '" + context.name() + "' has no snapshot " + id + in);
    }
}
