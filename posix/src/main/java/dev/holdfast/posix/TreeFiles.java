package dev.holdfast.posix;

import java.nio.file.Path;

/**
 * The port to the directory trees that are backed up and restored. Everything below a root is reached by one name at a
 * time, relative to an open directory, and no symbolic link is ever followed: whoever renames or replaces things in the
 * tree meanwhile cannot lead a walk out of it.
 *
 * <p>The promises on failures, EINTR, descriptors and access times are those of {@link PosixFiles}. Handles may be used
 * by one thread at a time; {@code close} is idempotent.
 */
public interface TreeFiles {

    /** Opens the directory to start from. Here alone links are followed: the path is the user's own. */
    TreeDirectory openRoot(Path path) throws PosixException;

    /** Makes the directory to start from, with mode 0700, unless it is there, and opens it. */
    TreeDirectory makeRoot(Path path) throws PosixException;
}
