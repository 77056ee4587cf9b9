package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a store that lies in another one, or has another one in it. The collection of the outer store would find the
 * inner one's indexes and not its chunks, and the two would disagree about what is used.
 *
 * <p>Compared are the paths as they are configured, the paths with symbolic links resolved, the directories above each
 * store by device and inode number, and, for a directory that is mounted in two places, where each path lies inside its
 * filesystem by the kernel's table of mounts. The walk for indexes compares every directory that it enters once more.
 */
public final class NestedStores {

    private record Inode(long device, long number) {}

    private static final int MAX_DEPTH = 256;

    private final PosixFiles files;
    private final String store;
    private final Path path;
    private final Map<String, Path> others;
    private final Map<Inode, String> otherRoots = new HashMap<>();

    /**
     * @param store the store's name
     * @param path its root
     * @param others names and roots of all other configured stores
     */
    public NestedStores(PosixFiles files, String store, Path path, Map<String, Path> others) {
        this.files = files;
        this.store = store;
        this.path = path;
        this.others = Map.copyOf(others);
    }

    /**
     * Compares the store with each other one.
     *
     * @throws SafetyException if one holds the other, or both are the same; it names both
     */
    public void check() throws SafetyException {
        if (others.isEmpty()) {
            return;
        }
        MountTable mounts = MountTable.read(files);
        Inode own = inode(path);
        for (Map.Entry<String, Path> other : others.entrySet()) {
            Path otherPath = other.getValue();
            if (nestedByName(path, otherPath) || nestedByName(real(path), real(otherPath))) {
                throw refuse(other.getKey(), otherPath);
            }
            Inode otherRoot = inode(otherPath);
            if (otherRoot != null) {
                otherRoots.put(otherRoot, other.getKey());
            }
            if (own != null && otherRoot != null && (isAbove(own, otherPath) || isAbove(otherRoot, path))) {
                throw refuse(other.getKey(), otherPath);
            }
            if (isThrough(mounts, real(path), real(otherPath)) || isThrough(mounts, real(otherPath), real(path))) {
                throw refuse(other.getKey(), otherPath);
            }
        }
    }

    /** Compares a directory of this store with the roots of the others; to be called after {@link #check}. */
    void checkDirectory(Path directory, long device, long inode) throws SafetyException {
        String other = otherRoots.isEmpty() ? null : otherRoots.get(new Inode(device, inode));
        if (other != null) {
            throw refuse(other, directory);
        }
    }

    private SafetyException refuse(String other, Path otherPath) {
        return new SafetyException(
                path.toString(),
                "datastore " + store + " (" + path + ") and datastore " + other + " (" + otherPath
                        + ") lie one inside the other: each would remove chunks of the other; move one of them to a"
                        + " place of its own");
    }

    private static boolean nestedByName(Path a, Path b) {
        Path first = a.normalize();
        Path second = b.normalize();
        return first.startsWith(second) || second.startsWith(first);
    }

    /** The path with its links resolved; as it is where that cannot be done, for example because it is not mounted. */
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    /** Whether going up from a path one comes by a directory, the path itself included. */
    private boolean isAbove(Inode wanted, Path from) {
        Path up = from;
        Inode before = null;
        for (int i = 0; i < MAX_DEPTH; i++) {
            Inode here = inode(up);
            if (here == null || here.equals(before)) {
                return false;
            }
            if (here.equals(wanted)) {
                return true;
            }
            before = here;
            up = up.resolve("..");
        }
        return false;
    }

    /** Whether one store is found below another by way of a mount: the table says where, and a look whether it is the same. */
    private boolean isThrough(MountTable mounts, Path outer, Path inner) {
        Path seen = mounts.through(outer, inner);
        Inode wanted = inode(inner);
        return seen != null && wanted != null && wanted.equals(inode(seen));
    }

    private @Nullable Inode inode(Path of) {
        FileStat stat = new FileStat();
        try {
            return files.stat(of, true, stat) ? new Inode(stat.device(), stat.inode()) : null;
        } catch (PosixException e) {
            // A store on a broken disk cannot be told from others by inode; names still count.
            assert e.errno() != Errno.ENOENT;
            return null;
        }
    }
}
