package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import java.time.Clock;
import java.util.Optional;

/** A store that has every chunk and touches it in no time. A sweep ends the run: what was wanted was its mark. */
final class PresentStore extends ForwardingStore {

    private final Clock clock;
    private final Runnable atSweep;
    private long touched;

    /** Thrown by the sweep. */
    static final class MarkedException extends DatastoreException {
        private static final long serialVersionUID = 1L;

        MarkedException() {
            super("the mark is over");
        }
    }

    /** @param atSweep runs when the mark is over, while the mark still holds all that it has remembered */
    PresentStore(ChunkStore store, Clock clock, Runnable atSweep) {
        super(store);
        this.clock = clock;
        this.atSweep = atSweep;
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) {
        touched += batch.size();
        return new TouchOutcome(batch.size(), new int[0], 0, 0);
    }

    /** Touches asked for. */
    long touched() {
        return touched;
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) {
        return Optional.of(new ChunkStat(1, clock.instant().getEpochSecond(), 0, 1));
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        atSweep.run();
        throw new MarkedException();
    }
}
