package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;

/**
 * Marks without touching: fills a set of used digests. The cache of seen digests runs along, so that its figures are those
 * of a real run. For use by one thread.
 */
final class DryMark implements ReferenceSink {

    private final TaskContext task;
    private final MarkProgress progress;
    private final SeenDigests seen;
    private final MarkSet used;
    private final boolean cached;

    DryMark(TaskContext task, MarkProgress progress, int cacheCapacity, MarkSet used) {
        this.task = task;
        this.progress = progress;
        this.seen = new SeenDigests(cacheCapacity, 1);
        this.used = used;
        this.cached = cacheCapacity > 0;
    }

    @Override
    public void reference(byte[] digest, int offset, int index) throws DatastoreException {
        if (seen.reference(digest, offset, index)) {
            used.add(digest, offset);
            seen.flushed();
        }
        if (progress.reference()) {
            task.checkAbort();
            progress.report();
        }
    }

    long hits() {
        return cached ? seen.hits() : 0;
    }

    long misses() {
        return cached ? seen.misses() : 0;
    }
}
