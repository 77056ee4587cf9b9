package dev.holdfast.datastore.layout;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import java.nio.file.Path;

/**
 * Every path below the root of one store. Pure: nothing here looks at a disk.
 *
 * @param root the store's root, absolute
 */
public record DatastoreLayout(Path root) {

    /** Permission bits of the store's root. */
    public static final int ROOT_MODE = 0755;

    /** Permission bits of {@code .chunks} and of the 65536 prefix directories. */
    public static final int CHUNK_DIRECTORY_MODE = 0750;

    /** Permission bits of directories that are made on demand: types, groups, snapshots, namespaces. */
    public static final int DIRECTORY_MODE = 0755;

    /** Permission bits of chunks, blobs, indexes, manifests, notes, owner and status files. */
    public static final int FILE_MODE = 0644;

    /** Number of prefix directories. */
    public static final int PREFIXES = 65536;

    public DatastoreLayout {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("the path of a datastore must be absolute: " + root);
        }
        root = root.normalize();
    }

    public Path lockFile() {
        return root.resolve(".lock");
    }

    public Path gcStatusFile() {
        return root.resolve(".gc-status");
    }

    public Path chunks() {
        return root.resolve(".chunks");
    }

    /** The directory of a namespace: the root, or {@code ns/a/ns/b}. */
    public Path namespace(BackupNamespace namespace) {
        Path path = root;
        for (String component : namespace.components()) {
            path = path.resolve("ns").resolve(component);
        }
        return path;
    }

    public Path group(BackupNamespace namespace, BackupGroup group) {
        return namespace(namespace).resolve(group.type().toString()).resolve(group.id());
    }

    public Path snapshot(BackupNamespace namespace, SnapshotId snapshot) {
        return group(namespace, snapshot.group()).resolve(snapshot.timeText());
    }

    public Path file(BackupNamespace namespace, SnapshotId snapshot, ArchiveName archive) {
        return snapshot(namespace, snapshot).resolve(archive.text());
    }
}
