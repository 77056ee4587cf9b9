package dev.holdfast.datastore;

import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;

/** One open store. Safe for use by any thread; {@code close} is idempotent. */
public interface Datastore extends AutoCloseable {

    String name();

    DatastoreLayout layout();

    ChunkStore chunks();

    SnapshotCatalog snapshots();

    @Override
    void close();
}
