package dev.holdfast.archive.tree;

import java.io.IOException;

/** Is told how the backup of a tree goes. */
public interface ArchiveListener {

    /**
     * Something is not in the archive as it is on disk.
     *
     * @param path of the entry, for messages
     * @param detail the reason, one sentence
     */
    void problem(ArchiveProblem problem, String path, String detail);

    /**
     * Called before each entry and after each piece of contents.
     *
     * @param entries written so far
     * @param bytes of contents written so far
     * @throws IOException to end the backup
     */
    default void progress(long entries, long bytes) throws IOException {}
}
