package dev.holdfast.datastore.restore;

import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;

/**
 * Random access to the bytes of an archive for readers that mostly go forward: once two chunks in a row were wanted,
 * workers load and decode those that follow. Reads elsewhere in between, such as look-ups in a table at the end, leave the
 * chunks ahead alone, and keep what they loaded for a while. Every chunk is checked before a byte of it leaves.
 *
 * <p>Memory: plain bytes of at most twice {@link ParallelReader.Limits#bytesAhead}, half of it ahead and half kept, or
 * one chunk of each if that is larger, plus one encoded chunk for each worker. One thread at a time; {@code close} is
 * idempotent.
 */
public final class ReadAheadReader implements AutoCloseable {

    private final IndexReader index;
    private final TaskContext task;
    private final ParallelReader.Limits limits;
    private final ChunkWorkers workers;

    /** Chunks on their way, for consecutive records up to, not including, {@code next}. */
    private final ArrayDeque<Pending> ahead = new ArrayDeque<>();

    private long next = -1;
    private long waiting;
    private long lastLoaded = -2;

    /** The chunks that were used last, oldest first. */
    private final Map<Long, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);

    private long keptBytes;

    private long current = -1;
    private long start;
    private long end;
    private byte[] data = new byte[0];

    private record Pending(long record, int length, Future<byte[]> data) {}

    /**
     * @param index stays open for as long as this is used; closed by whoever opened it
     * @param task aborts what waits for a chunk
     */
    public ReadAheadReader(
            ChunkStore chunks, IndexReader index, ContentKey key, ParallelReader.Limits limits, TaskContext task) {
        this.index = index;
        this.task = task;
        this.limits = limits;
        this.workers = new ChunkWorkers(chunks, key, limits.workers());
    }

    /** Logical size in bytes. */
    public long size() throws DatastoreException {
        return index.size();
    }

    /**
     * Reads at a position.
     *
     * @return number of bytes read, less than {@code length} only at the end; 0 past it
     * @throws dev.holdfast.datastore.error.ChunkMissingException if a chunk is absent
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if the content, length, digest or encryption of a chunk is
     *     wrong
     */
    public int read(long position, byte[] target, int offset, int length) throws DatastoreException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (position < 0) {
            throw new IllegalArgumentException("position must not be negative: " + position);
        }
        int done = 0;
        while (done < length && select(position + done)) {
            int inner = (int) (position + done - start);
            int part = Math.min(data.length - inner, length - done);
            System.arraycopy(data, inner, target, offset + done, part);
            done += part;
        }
        return done;
    }

    /** Makes the chunk that covers a position the current one. @return false past the end */
    private boolean select(long position) throws DatastoreException {
        if (position >= start && position < end) {
            return true;
        }
        boolean follows = current >= 0 && position == end && current + 1 < index.count();
        long record = follows ? current + 1 : index.recordAt(position);
        if (record < 0) {
            return false;
        }
        data = fetch(record);
        current = record;
        end = index.end(record);
        start = end - data.length;
        return true;
    }

    private byte[] fetch(long record) throws DatastoreException {
        byte[] known = kept.get(record);
        if (known != null) {
            return known;
        }
        byte[] loaded = isAhead(record) ? fromAhead(record) : load(record);
        keep(record, loaded);
        return loaded;
    }

    private boolean isAhead(long record) {
        Pending first = ahead.peek();
        return first != null && record >= first.record() && record < next;
    }

    private byte[] fromAhead(long record) throws DatastoreException {
        Pending first = drop();
        while (first.record() < record) {
            first = drop();
        }
        fill();
        return ChunkWorkers.await(task, first.data());
    }

    private byte[] load(long record) throws DatastoreException {
        Future<byte[]> wanted = workers.submit(index.digest(record), ChunkReader.length(index, record));
        if (record == lastLoaded + 1) {
            while (!ahead.isEmpty()) {
                drop().data().cancel(false);
            }
            next = record + 1;
            fill();
        }
        lastLoaded = record;
        return ChunkWorkers.await(task, wanted);
    }

    private Pending drop() {
        Pending first = ahead.remove();
        waiting -= first.length();
        return first;
    }

    private void fill() throws DatastoreException {
        while (next < index.count()) {
            int length = ChunkReader.length(index, next);
            if (!ahead.isEmpty() && waiting + length > limits.bytesAhead()) {
                return;
            }
            ahead.add(new Pending(next, length, workers.submit(index.digest(next), length)));
            waiting += length;
            next++;
        }
    }

    private void keep(long record, byte[] bytes) {
        kept.put(record, bytes);
        keptBytes += bytes.length;
        Iterator<Map.Entry<Long, byte[]>> oldest = kept.entrySet().iterator();
        while (keptBytes > limits.bytesAhead() && kept.size() > 1) {
            keptBytes -= oldest.next().getValue().length;
            oldest.remove();
        }
    }

    @Override
    public void close() {
        ahead.clear();
        workers.close();
    }
}
