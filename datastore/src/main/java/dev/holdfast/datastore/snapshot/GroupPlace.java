package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.FileType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A group as a directory. */
final class GroupPlace implements GroupDirectory {

    /** An owner is one short line; anything longer is no owner file. */
    private static final int OWNER_LIMIT = 4096;

    /** Notes are for people; a megabyte is more than anybody reads. */
    private static final int NOTES_LIMIT = 1024 * 1024;

    private final SnapshotContext context;
    private final StoreFiles files;
    private final BackupNamespace namespace;
    private final BackupGroup group;
    private final Path path;

    GroupPlace(SnapshotContext context, BackupNamespace namespace, BackupGroup group) {
        this.context = context;
        this.files = context.storeFiles();
        this.namespace = namespace;
        this.group = group;
        this.path = context.layout().group(namespace, group);
    }

    @Override
    public BackupNamespace namespace() {
        return namespace;
    }

    @Override
    public BackupGroup group() {
        return group;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public boolean exists() throws DatastoreException {
        return files.isDirectory(path);
    }

    /** Newest first. */
    List<SnapshotId> snapshots() throws DatastoreException {
        requireExists();
        List<StoreFiles.Entry> entries = files.list(path).orElseThrow(this::missing);
        List<SnapshotId> snapshots = new ArrayList<>();
        for (StoreFiles.Entry entry : entries) {
            if (entry.type() == FileType.DIRECTORY) {
                snapshotOf(entry.name()).ifPresent(snapshots::add);
            }
        }
        snapshots.sort(Comparator.reverseOrder());
        return snapshots;
    }

    private Optional<SnapshotId> snapshotOf(String name) {
        try {
            return Optional.of(new SnapshotId(group, SnapshotId.parseTime(name)));
        } catch (IllegalArgumentException otherName) {
            return Optional.empty();
        }
    }

    @Override
    public String owner() throws DatastoreException {
        return requireOwner().toString();
    }

    GroupOwner requireOwner() throws DatastoreException {
        Path file = path.resolve("owner");
        byte[] content = files.read(file, OWNER_LIMIT).orElse(null);
        if (content == null) {
            requireExists();
            throw new FormatException(
                    file.toString(), "group " + group + " has no owner file; set one with 'group owner': " + file);
        }
        String text = new String(content, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        try {
            return GroupOwner.parse((end < 0 ? text : text.substring(0, end)).stripTrailing());
        } catch (IllegalArgumentException e) {
            throw new FormatException(file.toString(), file + " does not name an owner: " + e.getMessage(), e);
        }
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void setOwner(String owner) throws DatastoreException {
        GroupOwner parsed = GroupOwner.parse(owner);
        context.requireWritable(path);
        requireExists();
        try (var guard = context.locks().lockGroup(namespace, group)) {
            requireExists();
            writeOwner(parsed);
        }
    }

    /** Under the group's lock. */
    void writeOwner(GroupOwner owner) throws DatastoreException {
        files.replace(
                path.resolve("owner"), (owner + "\n").getBytes(StandardCharsets.UTF_8), context.manifestDurability());
    }

    boolean hasOwnerFile() throws DatastoreException {
        return files.typeOf(path.resolve("owner")).isPresent();
    }

    @Override
    public String notes() throws DatastoreException {
        Optional<byte[]> content = files.read(path.resolve("notes"), NOTES_LIMIT);
        if (content.isEmpty()) {
            requireExists();
            return "";
        }
        return new String(content.get(), StandardCharsets.UTF_8);
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void setNotes(String notes) throws DatastoreException {
        byte[] content = notes.getBytes(StandardCharsets.UTF_8);
        if (content.length > NOTES_LIMIT) {
            throw new IllegalArgumentException("notes have at most " + NOTES_LIMIT + " bytes, not " + content.length);
        }
        context.requireWritable(path);
        requireExists();
        try (var guard = context.locks().lockGroup(namespace, group)) {
            requireExists();
            if (notes.isEmpty()) {
                var unused = files.unlink(path.resolve("notes"));
            } else {
                files.replace(path.resolve("notes"), content, Durability.NONE);
            }
        }
    }

    @Override
    public Optional<SnapshotDirectory> lastFinished() throws DatastoreException {
        for (SnapshotId snapshot : snapshots()) {
            SnapshotPlace place = new SnapshotPlace(context, namespace, snapshot);
            if (place.isFinished()) {
                return Optional.of(place);
            }
        }
        return Optional.empty();
    }

    @Override
    public List<SnapshotDirectory> forget() throws DatastoreException {
        context.requireWritable(path);
        requireExists();
        DirectoryLocks.Guard guard = context.locks().lockGroup(namespace, group);
        try {
            List<SnapshotDirectory> kept = new ArrayList<>();
            List<SnapshotId> snapshots = snapshots();
            for (int i = snapshots.size() - 1; i >= 0; i--) {
                SnapshotPlace place = new SnapshotPlace(context, namespace, snapshots.get(i));
                if (!place.removeUnlessProtected()) {
                    kept.add(place);
                }
            }
            if (kept.isEmpty() && removeIfEmpty()) {
                guard.removeAndClose();
            }
            return kept;
        } finally {
            guard.close();
        }
    }

    /** Removes the group if its last snapshot is gone; leaves it if anybody else works in it. */
    void removeIfLast() throws DatastoreException {
        if (!holdsOnlyLabels()) {
            return;
        }
        DirectoryLocks.Guard guard;
        try {
            guard = context.locks().lockGroup(namespace, group);
        } catch (LockTimeoutException busy) {
            // Somebody works in the group, most likely a new backup: it is not empty for long.
            return;
        }
        try {
            if (removeIfEmpty()) {
                guard.removeAndClose();
            }
        } finally {
            guard.close();
        }
    }

    /**
     * Under the group's lock: removes notes, owner and directory if nothing else is left. The owner goes late, because a
     * group without snapshots and without owner is free to take for the next backup.
     */
    boolean removeIfEmpty() throws DatastoreException {
        if (!holdsOnlyLabels()) {
            return false;
        }
        for (StoreFiles.Entry entry : files.list(path).orElse(List.of())) {
            if (!entry.name().equals("owner")) {
                var unused = files.unlink(path.resolve(entry.name()));
            }
        }
        var unused = files.unlink(path.resolve("owner"));
        return files.removeEmptyDirectory(path);
    }

    private boolean holdsOnlyLabels() throws DatastoreException {
        Optional<List<StoreFiles.Entry>> entries = files.list(path);
        return entries.isPresent() && entries.get().stream().allMatch(GroupPlace::isLabel);
    }

    private static boolean isLabel(StoreFiles.Entry entry) {
        String name = entry.name();
        return entry.type() == FileType.REGULAR
                && (name.equals("owner")
                        || name.equals("notes")
                        || name.startsWith("owner.tmp_")
                        || name.startsWith("notes.tmp_"));
    }

    private void requireExists() throws DatastoreException {
        if (!exists()) {
            throw missing();
        }
    }

    private SnapshotMissingException missing() {
        String in = namespace.isRoot() ? "" : " in namespace '" + namespace + "'";
        return new SnapshotMissingException(
                group.toString(), "datastore '" + context.name() + "' has no group " + group + in);
    }
}
