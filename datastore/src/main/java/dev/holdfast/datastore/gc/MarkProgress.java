package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.task.TaskContext;

/** Counts what phase 1 has really done, and tells. For use by one thread. */
final class MarkProgress {

    /** So many references pass between two looks at the abort flag and two reports. */
    static final int INTERVAL = 1024;

    private final TaskContext task;
    private long references;
    private long totalReferences;
    private long indexes;
    private long totalIndexes;
    private long lastPercent;

    MarkProgress(TaskContext task) {
        this.task = task;
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
        task.progress("mark", references, Math.max(references, totalReferences), "references");
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
