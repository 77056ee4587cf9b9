package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.archive.ByteSource;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.restore.ContentKey;
import dev.holdfast.datastore.restore.ParallelReader;
import dev.holdfast.datastore.restore.ReadAheadReader;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.io.IOException;

/** The bytes behind an index of a snapshot, with chunks loaded ahead. One thread at a time. */
final class IndexSource implements ByteSource, AutoCloseable {

    private static final int MAX_WORKERS = 32;

    /** Plain bytes that may wait to be read; as many are kept of what was read. */
    private static final long BYTES_AHEAD = 48L << 20;

    private final IndexReader index;
    private final ReadAheadReader reader;

    private IndexSource(IndexReader index, ReadAheadReader reader) {
        this.index = index;
        this.reader = reader;
    }

    /**
     * @throws dev.holdfast.datastore.error.WrongKeyException if it is encrypted, and the snapshot was opened without key
     */
    static IndexSource open(OpenDatastore open, SnapshotReader snapshot, ArchiveName name, TaskContext task)
            throws DatastoreException {
        ContentKey key = ContentKey.of(snapshot, name);
        int workers = Math.min(MAX_WORKERS, OrderedPipeline.cores());
        IndexReader index = snapshot.index(name);
        ParallelReader.Limits limits = new ParallelReader.Limits(workers, BYTES_AHEAD);
        return new IndexSource(index, new ReadAheadReader(open.chunks(), index, key, limits, task));
    }

    @Override
    public long size() throws IOException {
        return reader.size();
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
        int n = reader.read(position, buffer, offset, length);
        return n == 0 ? -1 : n;
    }

    @Override
    public void close() {
        reader.close();
        index.close();
    }
}
