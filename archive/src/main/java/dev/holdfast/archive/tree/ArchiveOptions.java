package dev.holdfast.archive.tree;

import java.util.List;

/**
 * How a tree is backed up.
 *
 * @param excludes patterns given with the command, which are also noted in the archive
 * @param mounts whether to enter other filesystems
 * @param maximumEntries names held at a time: of all directories on the current path together; more end the backup
 * @param maximumDepth directories within each other; deeper ones are left out and reported
 */
public record ArchiveOptions(List<ExcludePattern> excludes, Mounts mounts, int maximumEntries, int maximumDepth) {

    /** What to do with a directory on which another filesystem is mounted. */
    public enum Mounts {
        /** Keep the directory, but not what is below it. */
        STAY,
        CROSS
    }

    /** No excludes, one filesystem, PBS's 1048576 entries, and the depth that readers here take. */
    public static final ArchiveOptions DEFAULT = new ArchiveOptions(List.of(), Mounts.STAY, 1 << 20, 2000);

    public ArchiveOptions {
        excludes = List.copyOf(excludes);
    }

    public ArchiveOptions withExcludes(List<ExcludePattern> patterns) {
        return new ArchiveOptions(patterns, mounts, maximumEntries, maximumDepth);
    }
}
