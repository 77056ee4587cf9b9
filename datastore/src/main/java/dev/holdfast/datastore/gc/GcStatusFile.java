package dev.holdfast.datastore.gc;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file in which a store keeps the figures of its last successful garbage collection: compact JSON with the keys of
 * Proxmox Backup Server.
 */
public final class GcStatusFile {

    /** The figures fit in a few hundred bytes. */
    private static final int LIMIT = 64 * 1024;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private GcStatusFile() {}

    /**
     * @return empty if there is no file, or it does not parse: the figures are for people, and the next run replaces them
     * @throws DatastoreException if the file cannot be read
     */
    public static Optional<GarbageCollectionStatus> load(PosixFiles files, DatastoreLayout layout)
            throws DatastoreException {
        Optional<byte[]> content;
        try {
            content = new StoreFiles(files, FileOwner.UNCHANGED).read(layout.gcStatusFile(), LIMIT);
        } catch (FormatException e) {
            return Optional.empty();
        }
        if (content.isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, Object> members = JSON.readValue(content.get(), new TypeReference<Map<String, Object>>() {});
            return members == null ? Optional.empty() : Optional.of(GarbageCollectionStatus.fromMap(members));
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Replaces the file atomically, without fsync. */
    public static void save(PosixFiles files, DatastoreLayout layout, FileOwner owner, GarbageCollectionStatus status)
            throws DatastoreException {
        new StoreFiles(files, owner)
                .replace(layout.gcStatusFile(), JSON.writeValueAsBytes(status.toMap()), Durability.NONE);
    }
}
