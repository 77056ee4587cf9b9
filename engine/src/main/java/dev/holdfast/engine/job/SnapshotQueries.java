package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.engine.job.SnapshotItem.FileItem;
import dev.holdfast.engine.job.SnapshotItem.Verification;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at snapshots. Works on a read-only mount. */
public final class SnapshotQueries {

    private final Engine engine;

    public SnapshotQueries(Engine engine) {
        this.engine = engine;
    }

    /** All snapshots of a part of a store: by namespace, group, and time, newest first. */
    public Listing<SnapshotItem> list(String store, Scope scope) throws DatastoreException {
        List<SnapshotItem> items = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            for (BackupNamespace namespace : open.snapshots().namespaces(scope.namespace(), scope.maxDepth())) {
                for (BackupGroup group : groups(open, namespace, scope)) {
                    String owner = owner(open, namespace, group, warnings);
                    for (SnapshotId id : open.snapshots().snapshots(namespace, group)) {
                        try {
                            items.add(item(open, open.snapshots().snapshot(namespace, id), owner, warnings));
                        } catch (SnapshotMissingException e) {
                            // Forgotten by somebody since it was listed: it is as if we had come later.
                            continue;
                        }
                    }
                }
            }
        }
        return new Listing<>(List.copyOf(items), List.copyOf(warnings));
    }

    /** One snapshot. */
    public Listing<SnapshotItem> show(String store, BackupNamespace namespace, SnapshotId id)
            throws DatastoreException {
        List<String> warnings = new ArrayList<>();
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            SnapshotDirectory directory = open.existing(namespace, id);
            String owner = owner(open, namespace, id.group(), warnings);
            return new Listing<>(List.of(item(open, directory, owner, warnings)), List.copyOf(warnings));
        }
    }

    /** The notes of a snapshot. */
    public String notes(String store, BackupNamespace namespace, SnapshotId id) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            return open.existing(namespace, id).manifest().notes();
        }
    }

    private static List<BackupGroup> groups(OpenDatastore open, BackupNamespace namespace, Scope scope)
            throws DatastoreException {
        BackupGroup only = scope.group();
        if (only == null) {
            return open.snapshots().groups(namespace);
        }
        return open.snapshots().group(namespace, only).exists() ? List.of(only) : List.of();
    }

    static @Nullable String owner(
            OpenDatastore open, BackupNamespace namespace, BackupGroup group, List<String> warnings)
            throws DatastoreException {
        try {
            return open.snapshots().group(namespace, group).owner();
        } catch (FormatException e) {
            warnings.add(e.getMessage());
            return null;
        }
    }

    static SnapshotItem item(
            OpenDatastore open, SnapshotDirectory directory, @Nullable String owner, List<String> warnings)
            throws DatastoreException {
        List<String> names = directory.fileNames();
        boolean finished = names.contains(ArchiveName.MANIFEST.text());
        BackupManifest manifest = finished ? manifest(directory, warnings) : null;
        List<FileItem> files =
                manifest == null ? unlisted(new TreeSet<>(names)) : listed(open, directory, manifest, names);
        SnapshotId id = directory.id();
        return new SnapshotItem(
                directory.namespace().toString(),
                id.toString(),
                id.group().type(),
                id.group().id(),
                id.time(),
                finished,
                directory.isProtected(),
                manifest == null
                        ? null
                        : files.stream().mapToLong(SnapshotQueries::sizeOf).sum(),
                owner,
                manifest == null ? null : firstLine(manifest.notes()),
                manifest == null ? null : verification(manifest),
                manifest != null && manifest.unprotected().get("key-fingerprint") instanceof String text ? text : null,
                files);
    }

    private static @Nullable BackupManifest manifest(SnapshotDirectory directory, List<String> warnings)
            throws DatastoreException {
        try {
            return directory.manifest();
        } catch (FormatException e) {
            warnings.add(e.getMessage());
            return null;
        }
    }

    private static List<FileItem> listed(
            OpenDatastore open, SnapshotDirectory directory, BackupManifest manifest, List<String> names)
            throws DatastoreException {
        List<FileItem> files = new ArrayList<>();
        Set<String> others = new TreeSet<>(names);
        for (ManifestEntry entry : manifest.files()) {
            files.add(new FileItem(entry.name().text(), entry.cryptMode(), entry.size()));
            others.remove(entry.name().text());
        }
        others.remove(ArchiveName.MANIFEST.text());
        CryptMode mode = manifest.signature().isPresent() ? CryptMode.SIGN_ONLY : CryptMode.NONE;
        files.add(new FileItem(ArchiveName.MANIFEST.text(), mode, manifestSize(open, directory)));
        files.addAll(unlisted(others));
        return List.copyOf(files);
    }

    private static @Nullable Long manifestSize(OpenDatastore open, SnapshotDirectory directory)
            throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            boolean there = open.files().stat(directory.path().resolve(ArchiveName.MANIFEST.text()), false, stat);
            return there ? stat.size() : null;
        } catch (PosixException e) {
            throw new DatastoreException(e.getMessage(), e);
        }
    }

    private static List<FileItem> unlisted(Set<String> names) {
        return names.stream().map(name -> new FileItem(name, null, null)).collect(Collectors.toUnmodifiableList());
    }

    private static long sizeOf(FileItem file) {
        Long size = file.size();
        return size == null ? 0 : size;
    }

    static @Nullable String firstLine(String notes) {
        return notes.isBlank() ? null : notes.strip().lines().findFirst().orElse(null);
    }

    private static @Nullable Verification verification(BackupManifest manifest) {
        return manifest.unprotected().get("verify_state") instanceof Map<?, ?> state
                        && state.get("upid") instanceof String upid
                        && state.get("state") instanceof String result
                ? new Verification(upid, result)
                : null;
    }
}
