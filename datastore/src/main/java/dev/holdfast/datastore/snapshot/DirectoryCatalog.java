package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.BackupType;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.posix.FileType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The catalog that directories are.
 *
 * <p>Taken are directories by the exact names of the layout; files and other names are skipped; a symbolic link is never
 * followed and counts as another name. Whatever cannot be read, and a namespace directory whose name is none, is an error:
 * either could hide snapshots from whoever relies on a listing.
 */
public final class DirectoryCatalog implements SnapshotCatalog {

    private final SnapshotContext context;
    private final StoreFiles files;

    public DirectoryCatalog(SnapshotContext context) {
        this.context = context;
        this.files = context.storeFiles();
    }

    @Override
    public List<BackupNamespace> namespaces(BackupNamespace start, int maxDepth) throws DatastoreException {
        requireNamespace(start);
        List<BackupNamespace> found = new ArrayList<>();
        collect(start, maxDepth, found);
        return found;
    }

    private void collect(BackupNamespace namespace, int depth, List<BackupNamespace> found) throws DatastoreException {
        found.add(namespace);
        if (depth <= 0 || namespace.depth() >= BackupNamespace.MAX_DEPTH) {
            return;
        }
        for (BackupNamespace child : children(namespace)) {
            collect(child, depth - 1, found);
        }
    }

    private List<BackupNamespace> children(BackupNamespace namespace) throws DatastoreException {
        Path directory = context.layout().namespace(namespace).resolve("ns");
        if (!files.isDirectory(directory)) {
            return List.of();
        }
        List<BackupNamespace> children = new ArrayList<>();
        for (StoreFiles.Entry entry : files.list(directory).orElse(List.of())) {
            if (entry.type() == FileType.DIRECTORY) {
                children.add(child(namespace, entry.name(), directory));
            }
        }
        children.sort(Comparator.naturalOrder());
        return children;
    }

    private static BackupNamespace child(BackupNamespace namespace, String name, Path directory)
            throws FormatException {
        try {
            return namespace.child(name);
        } catch (IllegalArgumentException e) {
            String path = directory + "/" + name;
            throw new FormatException(
                    path, path + " is no valid namespace, and may hide snapshots: rename or move it away", e);
        }
    }

    @Override
    public List<BackupGroup> groups(BackupNamespace namespace) throws DatastoreException {
        Path directory = requireNamespace(namespace);
        List<BackupGroup> groups = new ArrayList<>();
        for (BackupType type : BackupType.values()) {
            Path place = directory.resolve(type.toString());
            if (!files.isDirectory(place)) {
                continue;
            }
            for (StoreFiles.Entry entry : files.list(place).orElse(List.of())) {
                if (entry.type() == FileType.DIRECTORY) {
                    groupOf(type, entry.name()).ifPresent(groups::add);
                }
            }
        }
        groups.sort(Comparator.naturalOrder());
        return groups;
    }

    private static Optional<BackupGroup> groupOf(BackupType type, String name) {
        try {
            return Optional.of(new BackupGroup(type, name));
        } catch (IllegalArgumentException otherName) {
            return Optional.empty();
        }
    }

    @Override
    public List<SnapshotId> snapshots(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
        return place(namespace, group).snapshots();
    }

    @Override
    public GroupDirectory group(BackupNamespace namespace, BackupGroup group) {
        return place(namespace, group);
    }

    @Override
    public SnapshotDirectory snapshot(BackupNamespace namespace, SnapshotId snapshot) {
        return new SnapshotPlace(context, namespace, snapshot);
    }

    private GroupPlace place(BackupNamespace namespace, BackupGroup group) {
        return new GroupPlace(context, namespace, group);
    }

    @Override
    public void createNamespace(BackupNamespace namespace) throws DatastoreException {
        Path path = context.layout().namespace(namespace);
        context.requireWritable(path);
        if (namespace.isRoot()) {
            throw new AlreadyExistsException("", "the root namespace of '" + context.name() + "' always exists");
        }
        Path parent = requireNamespace(namespace.parent());
        files.requireDirectory(parent.resolve("ns"));
        if (!files.makeDirectory(path)) {
            throw new AlreadyExistsException(
                    namespace.toString(), "namespace '" + namespace + "' of '" + context.name() + "' exists already");
        }
    }

    @Override
    public void deleteNamespace(BackupNamespace namespace) throws DatastoreException {
        Path path = context.layout().namespace(namespace);
        context.requireWritable(path);
        if (namespace.isRoot()) {
            throw new SafetyException(path.toString(), "the root namespace cannot be deleted");
        }
        requireNamespace(namespace);
        for (BackupGroup group : groups(namespace)) {
            throw new SafetyException(
                    path.toString(),
                    "namespace '" + namespace + "' still holds group " + group + "; forget its groups first");
        }
        for (BackupNamespace child : children(namespace)) {
            throw new SafetyException(
                    path.toString(), "namespace '" + namespace + "' still holds '" + child + "'; delete that first");
        }
        removeSkeleton(namespace, path);
    }

    /** Removes empty directories only, so that whatever a listing does not know stays, and is named. */
    private void removeSkeleton(BackupNamespace namespace, Path path) throws DatastoreException {
        List<String> parts = List.of("ns", "ct", "vm", "host");
        for (String part : parts) {
            Path directory = path.resolve(part);
            if (files.isDirectory(directory) && !files.removeEmptyDirectory(directory)) {
                throw new SafetyException(
                        directory.toString(), "namespace '" + namespace + "' stays: " + directory + " is not empty");
            }
        }
        if (!files.removeEmptyDirectory(path)) {
            throw new SafetyException(
                    path.toString(), "namespace '" + namespace + "' stays: " + path + " holds unknown files");
        }
    }

    private Path requireNamespace(BackupNamespace namespace) throws DatastoreException {
        Path path = context.layout().namespace(namespace);
        // The root may be a link to where the store lies; below it, links are not followed.
        if (!namespace.isRoot() && !files.isDirectory(path)) {
            throw new SnapshotMissingException(
                    namespace.toString(), "datastore '" + context.name() + "' has no namespace '" + namespace + "'");
        }
        return path;
    }
}
