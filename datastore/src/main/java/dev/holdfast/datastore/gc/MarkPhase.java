package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.PosixException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Marks by touching. A reference that the cache of seen digests answers is done; any other digest enters the batch, once,
 * and a full batch is flushed: its chunks are touched. Marking without batches is marking with batches of one.
 *
 * <p>A flush that fails ends the run, before anything is swept: a chunk that could not be touched for another reason than
 * its certain absence would look unused. For use by one thread.
 */
final class MarkPhase implements Mark {

    /** Of so many single touches one is timed. */
    private static final int TIMED_EVERY = 16;

    private final String store;
    private final ChunkStore chunks;
    private final TaskContext task;
    private final GcWarnings warnings;
    private final MarkedIndexes indexes;
    private final MarkProgress progress;
    private final TaskContext flushTask;
    private final SeenDigests seen;
    private final OptionalInt batchSize;
    private final boolean cached;
    private long touched;
    private long missing;
    private long badKept;
    private long directoriesOpened;
    private long flushes;
    private long largestBatch;
    private @Nullable ChunkDigest lastTouched;

    /** What a mark works with. */
    record Tools(
            ChunkStore chunks, TaskContext task, GcWarnings warnings, MarkedIndexes indexes, MarkProgress progress) {}

    /**
     * @param cacheCapacity digests remembered, 0 for none
     * @param batchSize digests a flush, empty to touch on first encounter
     */
    MarkPhase(String store, Tools tools, int cacheCapacity, OptionalInt batchSize) {
        this.store = store;
        this.chunks = tools.chunks();
        this.task = tools.task();
        this.warnings = tools.warnings();
        this.indexes = tools.indexes();
        this.progress = tools.progress();
        this.flushTask = new FlushTask(task, progress);
        this.seen = new SeenDigests(cacheCapacity, batchSize.orElse(1));
        this.batchSize = batchSize;
        this.cached = cacheCapacity > 0;
    }

    @Override
    public void reference(byte[] digest, int offset, int index) throws DatastoreException {
        if (seen.reference(digest, offset, index) && seen.batchFull()) {
            flush();
        }
        if (progress.reference()) {
            task.checkAbort();
            progress.waiting(seen.size());
            progress.report();
            tellFigures();
        }
    }

    /** Touches what still waits. */
    @Override
    public void finish() throws DatastoreException {
        if (seen.size() > 0) {
            flush();
        }
        tellFigures();
    }

    private void tellFigures() {
        task.figure("touched", touched);
        task.figure("waiting", seen.size());
    }

    private void flush() throws DatastoreException {
        TouchOutcome outcome;
        // On a cold disk a touch takes a seek, so batches of one must be looked between too.
        task.checkAbort();
        try {
            outcome = timedTouch();
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    pathOf(e),
                    "a chunk in use could not be touched, and would look unused: " + e.getMessage()
                            + "; nothing has been removed",
                    e);
        }
        int size = seen.size();
        if (outcome.touched() + outcome.absent().length != size) {
            throw new SafetyException(
                    store,
                    "of a batch of " + size + " chunks " + outcome.touched() + " were touched and "
                            + outcome.absent().length + " reported absent; nothing has been removed");
        }
        flushes++;
        largestBatch = Math.max(largestBatch, size);
        touched += outcome.touched();
        missing += outcome.absent().length;
        badKept += outcome.badKept();
        directoriesOpened += outcome.directoriesOpened();
        rememberOne(outcome.absent());
        for (int position : outcome.absent()) {
            warnings.missingChunk(seen.digest(position), indexes.path(seen.index(position)));
        }
        seen.flushed();
        progress.waiting(0);
    }

    /** Touches the batch, and takes the time; of single touches only now and then, because looking at a clock costs. */
    private TouchOutcome timedTouch() throws DatastoreException {
        boolean single = seen.size() == 1;
        if (single && flushes % TIMED_EVERY != 0) {
            return chunks.touch(seen, task);
        }
        progress.flushBegan(seen.size());
        TouchOutcome outcome = chunks.touch(seen, single ? task : flushTask);
        progress.flushEnded(single ? TIMED_EVERY : 1);
        return outcome;
    }

    /** Keeps one digest that is there, for the check of the clocks. */
    private void rememberOne(int[] absent) {
        if (lastTouched == null && absent.length < seen.size()) {
            int position = 0;
            while (position < absent.length && absent[position] == position) {
                position++;
            }
            lastTouched = seen.digest(position);
        }
    }

    private String pathOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PosixException posix) {
                return posix.path();
            }
        }
        return store;
    }

    @Override
    public @Nullable ChunkDigest someTouched() {
        return lastTouched;
    }

    @Override
    public GcReport.Strategy strategy() {
        return batchSize.isPresent()
                ? new GcReport.Strategy(batchSize, flushes, largestBatch)
                : new GcReport.Strategy(batchSize, 0, 0);
    }

    @Override
    public GcReport.Phase phase(long durationMillis) {
        return GcReport.Phase.mark(durationMillis, progress.references(), touched, missing, directoriesOpened);
    }

    @Override
    public CacheStats cacheStats() {
        return cached ? new CacheStats(seen.hits(), seen.misses()) : new CacheStats(0, 0);
    }

    @Override
    public String soFar() {
        return "read " + progress.references() + " references of " + indexes.fileCount() + " index files, touched "
                + touched + " chunks, found " + missing + " missing (" + badKept + " of them with a bad copy), "
                + seen.size() + " waiting in the batch";
    }
}
