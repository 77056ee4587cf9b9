package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.task.TaskContext;

/** Counts what phase 1 has really done, and tells. For use by one thread. */
final class MarkProgress {

    /** So many references pass between two looks at the abort flag and two reports. */
    static final int INTERVAL = 1024;

    private static final String PHASE = "mark";

    private final TaskContext task;
    private final MarkEstimate estimate;
    private long references;
    private long totalReferences;
    private long indexes;
    private long totalIndexes;
    private long lastPercent;
    private long waiting;

    MarkProgress(TaskContext task, MarkEstimate estimate) {
        this.task = task;
        this.estimate = estimate;
    }

    /** The references of an index begin to pass, or have passed. */
    void readingBegan() {
        estimate.readingBegan();
    }

    void readingEnded() {
        estimate.readingEnded();
    }

    void flushBegan(int size) {
        estimate.flushBegan(size);
    }

    /** Of a flush that runs, so many chunks still wait. Safe for use by any thread while this object's own waits. */
    void flushAdvanced(long stillWaiting) {
        estimate.flushAdvanced(stillWaiting);
        tellRemaining();
    }

    /** @param flushes so many flushes this one stands for */
    void flushEnded(int flushes) {
        estimate.flushEnded(flushes);
    }

    /** So many digests wait for the next flush. */
    void waiting(long digests) {
        waiting = digests;
    }

    private void tellRemaining() {
        task.remaining(
                PHASE,
                estimate.remainingMillis(
                        waiting,
                        new MarkEstimate.Count(references, Math.max(references, totalReferences)),
                        new MarkEstimate.Count(indexes, Math.max(indexes, totalIndexes))));
    }

    /** Sets what the walk expects. */
    void expect(long moreIndexes, long moreReferences) {
        totalIndexes += moreIndexes;
        totalReferences += moreReferences;
    }

    /** One more reference; true if it is time to look around. */
    boolean reference() {
        references++;
        return references % INTERVAL == 0;
    }

    /** Reports: the total is never less than what is done. */
    void report() {
        task.progress(PHASE, references, Math.max(references, totalReferences), "references");
        tellRemaining();
    }

    /** One index more is done. */
    void indexDone() {
        indexes++;
        totalIndexes = Math.max(totalIndexes, indexes);
        long percent = indexes * 100 / totalIndexes;
        if (percent > lastPercent) {
            lastPercent = percent;
            task.log("marked " + percent + "% (" + indexes + " of " + totalIndexes + " index files)");
        }
        report();
    }

    /** The phase is over: what vanished is no longer waited for. */
    void finish() {
        totalReferences = references;
        if (totalIndexes > 0 && lastPercent < 100) {
            lastPercent = 100;
            task.log("marked 100% (" + indexes + " of " + indexes + " index files)");
        }
        report();
    }

    /** References read. */
    long references() {
        return references;
    }
}
