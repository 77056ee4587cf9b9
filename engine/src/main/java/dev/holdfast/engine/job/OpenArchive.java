package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.archive.pxar.PxarLimits;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A directory archive of a snapshot, open for reading at any place: {@code .pxar}, or {@code .mpxar} together with its
 * {@code .ppxar}. The snapshot cannot be forgotten until {@code close}. One thread at a time.
 */
final class OpenArchive implements AutoCloseable {

    private static final String METADATA = ".mpxar.didx";
    private static final String PAYLOAD = ".ppxar.didx";

    private final SnapshotReader snapshot;
    private final ArchiveName name;
    private final IndexSource archive;
    private final @Nullable IndexSource payload;

    private OpenArchive(SnapshotReader snapshot, ArchiveName name, IndexSource archive, @Nullable IndexSource payload) {
        this.snapshot = snapshot;
        this.name = name;
        this.archive = archive;
        this.payload = payload;
    }

    /**
     * A place in a store.
     *
     * @param snapshot its name
     */
    record Place(BackupNamespace namespace, SnapshotId snapshot, ArchiveName archive) {}

    /**
     * Opens an archive. A signature of the snapshot's manifest is checked if there is a key.
     *
     * @param key null for none
     */
    @SuppressWarnings("resource") // what is opened goes to the new object, or is closed
    static OpenArchive open(OpenDatastore open, Place place, @Nullable CryptConfig key, TaskContext task)
            throws IOException {
        SnapshotReader snapshot =
                open.existing(place.namespace(), place.snapshot()).open(key);
        IndexSource archive = null;
        IndexSource payload = null;
        boolean opened = false;
        try {
            requireListed(snapshot, place);
            archive = IndexSource.open(open, snapshot, place.archive(), task);
            String text = place.archive().text();
            if (text.endsWith(METADATA)) {
                String base = text.substring(0, text.length() - METADATA.length());
                payload = IndexSource.open(open, snapshot, new ArchiveName(base + PAYLOAD), task);
            }
            OpenArchive result = new OpenArchive(snapshot, place.archive(), archive, payload);
            opened = true;
            return result;
        } finally {
            if (!opened) {
                close(snapshot, archive, payload);
            }
        }
    }

    /** A name that the user got wrong is not damage. */
    private static void requireListed(SnapshotReader snapshot, Place place) throws NotInArchiveException {
        if (snapshot.manifest().file(place.archive()).isEmpty()) {
            throw NotInArchiveException.noArchive(
                    place.snapshot().toString(), place.archive().text());
        }
    }

    PxarReader reader() throws IOException {
        return PxarReader.open(archive, payload, PxarLimits.DEFAULT);
    }

    ArchiveName name() {
        return name;
    }

    /** Size of the archive, without contents if these are kept apart. */
    long size() throws IOException {
        IndexSource contents = payload;
        return archive.size() + (contents == null ? 0 : contents.size());
    }

    IndexSource source() {
        return archive;
    }

    @Override
    public void close() {
        close(snapshot, archive, payload);
    }

    private static void close(SnapshotReader snapshot, @Nullable IndexSource archive, @Nullable IndexSource payload) {
        if (payload != null) {
            payload.close();
        }
        if (archive != null) {
            archive.close();
        }
        snapshot.close();
    }
}
