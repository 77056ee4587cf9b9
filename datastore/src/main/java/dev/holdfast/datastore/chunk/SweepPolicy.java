package dev.holdfast.datastore.chunk;

/**
 * Decides, file by file, what a sweep removes. Called under the lock that inserts and touches of the same prefix take.
 *
 * <p>A store may sweep several prefixes at a time: safe for use by any thread. The three calls about one file come from
 * one thread, one after the other; files come in no order.
 */
public interface SweepPolicy {

    SweepVerdict judge(SweepEntry entry);

    /** Called after the verdict has been carried out: a removed file is gone from the disk. */
    void done(SweepEntry entry, SweepVerdict verdict);

    /** Called instead of {@link #done} when a file that was judged REMOVE could not be removed; the sweep then fails. */
    void failed(SweepEntry entry);
}
