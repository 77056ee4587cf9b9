package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Hands every call on; its subclasses answer one of them otherwise. */
abstract class ForwardingStore implements ChunkStore {

    private final ChunkStore store;

    ForwardingStore(ChunkStore store) {
        this.store = store;
    }

    @Override
    public InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        return store.insert(digest, blob);
    }

    @Override
    public DataBlob load(ChunkDigest digest) throws DatastoreException {
        return store.load(digest);
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) throws DatastoreException {
        return store.stat(digest);
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        return store.touch(batch, task);
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        return store.sweep(policy, task);
    }

    @Override
    public OptionalInt quarantine(ChunkDigest digest) throws DatastoreException {
        return store.quarantine(digest);
    }

    @Override
    public List<ChunkDigest> readOrder(List<ChunkDigest> digests) throws DatastoreException {
        return store.readOrder(digests);
    }

    @Override
    public void close() {
        store.close();
    }
}
