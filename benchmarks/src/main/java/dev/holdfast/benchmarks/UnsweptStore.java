package dev.holdfast.benchmarks;

import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.task.TaskContext;

/** A store whose sweep sees nothing, so that a collection ends with its mark. */
final class UnsweptStore extends ForwardingStore {

    UnsweptStore(ChunkStore store) {
        super(store);
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) {
        return new SweepOutcome(0, 0, 0, 0);
    }
}
