package dev.holdfast.archive.tree;

import java.io.IOException;

/** Is told how a restore goes. */
public interface RestoreListener {

    /**
     * Something on disk is not as it is in the archive.
     *
     * @param path of the entry, for messages
     * @param detail the reason, one sentence
     */
    void problem(RestoreProblem problem, String path, String detail);

    /**
     * Called before each entry and after each piece of contents.
     *
     * @param entries restored so far
     * @param bytes of contents restored so far
     * @throws IOException to end the restore
     */
    default void progress(long entries, long bytes) throws IOException {}
}
