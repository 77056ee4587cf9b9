package dev.holdfast.datastore.chunk;

import dev.holdfast.datastore.error.DatastoreException;

/**
 * Decides, file by file, what a sweep removes. All but {@link #absentPrefix} is called under the lock that inserts and
 * touches of the same prefix take.
 *
 * <p>A store may sweep several prefixes at a time: safe for use by any thread. The calls about one file come from one
 * thread, one after the other; files come in no order.
 */
public interface SweepPolicy {

    /**
     * Called before the first file is looked at, once for each prefix directory that is missing. Stores without such
     * directories never call it.
     *
     * @throws DatastoreException to stop the sweep before anything is removed
     */
    default void absentPrefix(int prefix) throws DatastoreException {}

    /**
     * Called for each file before anything but its name is known.
     *
     * @param entry only kind, digest, misplacement and path are valid
     * @return true if the file is in use: it is not looked at, and neither judged nor reported as done
     */
    default boolean keepsByName(SweepEntry entry) {
        return false;
    }

    /**
     * Called for an entry with the name of a chunk that is no regular file: it is left alone.
     *
     * @param entry as in {@link #keepsByName}
     */
    default void skipped(SweepEntry entry) {}

    /** The verdict on a file. */
    SweepVerdict judge(SweepEntry entry);

    /** Called after the verdict has been carried out: a removed file is gone from the disk. */
    void done(SweepEntry entry, SweepVerdict verdict);

    /** Called instead of {@link #done} when a file that was judged REMOVE could not be removed; the sweep then fails. */
    void failed(SweepEntry entry);
}
