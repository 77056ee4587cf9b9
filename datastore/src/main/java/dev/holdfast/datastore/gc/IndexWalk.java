package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds every index file below a store's root by walking the tree, whatever the names of the directories are.
 *
 * <p>What is hidden (a name that begins with a dot, below the root) is not entered: {@code .chunks} is, and so are
 * snapshots that a filesystem shows. Everything else that cannot be seen through stops the run: a directory that cannot be
 * read, a directory behind a symbolic link, a link to nowhere in the place of a group. Two things are let pass: a
 * {@code lost+found} near the root that only the superuser may read, and what was removed meanwhile.
 */
final class IndexWalk {

    /** A place that must be the same at the end of the mark: a mount that goes away would look like a deletion. */
    private record Anchor(Path path, long device, long inode, boolean mountPoint) {}

    private record Directory(Path path, String relative, int depth, long parentDevice) {}

    private final DatastoreLayout layout;
    private final PosixFiles files;
    private final NestedStores nested;
    private final TaskContext task;
    private final GcWarnings warnings;
    private final Map<String, Long> found = new HashMap<>();
    private final List<Anchor> anchors = new ArrayList<>();
    private final Deque<Directory> waiting = new ArrayDeque<>();
    private final FileStat stat = new FileStat();

    IndexWalk(DatastoreLayout layout, PosixFiles files, NestedStores nested, TaskContext task, GcWarnings warnings) {
        this.layout = layout;
        this.files = files;
        this.nested = nested;
        this.task = task;
        this.warnings = warnings;
    }

    /**
     * Walks.
     *
     * @return paths of indexes, relative to the root, with the number of records that each file's length allows
     */
    Map<String, Long> walk() throws DatastoreException {
        waiting.push(new Directory(layout.root(), "", 0, -1));
        while (!waiting.isEmpty()) {
            task.checkAbort();
            visit(waiting.pop());
        }
        return found;
    }

    private void visit(Directory directory) throws DatastoreException {
        try (DirectoryHandle handle = files.openDirectory(directory.path())) {
            handle.stat(stat);
            long device = stat.device();
            boolean mountPoint = directory.depth() > 0 && device != directory.parentDevice();
            nested.checkDirectory(directory.path(), device, stat.inode());
            if (mountPoint || StorePlace.of(directory.relative()).isContainer()) {
                anchors.add(new Anchor(directory.path(), device, stat.inode(), mountPoint));
            }
            DirectoryEntry entry = handle.next();
            while (entry != null) {
                consider(directory, handle, entry, device);
                entry = handle.next();
            }
        } catch (PosixException e) {
            forgive(directory, e);
        }
    }

    private void consider(Directory parent, DirectoryHandle handle, DirectoryEntry entry, long device)
            throws PosixException, DatastoreException {
        byte[] name = entry.name();
        FileType type = entry.type();
        boolean indexName = isIndexName(name);
        if (type == FileType.UNKNOWN || indexName) {
            if (!handle.stat(name, stat)) {
                return;
            }
            type = stat.type();
        }
        if (name[0] == '.') {
            considerHidden(parent, entry.text(), type, indexName);
            return;
        }
        if (!indexName && type != FileType.DIRECTORY && type != FileType.SYMLINK) {
            return;
        }
        String text = readable(parent, name);
        String relative = parent.depth() == 0 ? text : parent.relative() + "/" + text;
        if (indexName) {
            if (type == FileType.DIRECTORY) {
                throw new SafetyException(
                        relative,
                        "index " + relative + " is a directory: what it should name cannot be known; move it out of the"
                                + " store, or forget its snapshot");
            }
            found.put(relative, type == FileType.REGULAR ? records(name, stat.size()) : 0L);
            task.progress("list", found.size(), -1, "indexes");
        } else if (type == FileType.DIRECTORY) {
            waiting.push(new Directory(resolve(parent, text), relative, parent.depth() + 1, device));
        } else {
            considerLink(resolve(parent, text), relative);
        }
    }

    /** A symbolic link that is no index: what it points to decides. */
    private void considerLink(Path path, String relative) throws DatastoreException {
        try {
            if (files.stat(path, true, stat)) {
                if (stat.type() == FileType.DIRECTORY) {
                    throw new SafetyException(
                            relative,
                            "directory " + relative + " is a symbolic link: indexes behind it would not be found by"
                                    + " everything that reads this store, and their chunks could be lost; mount the"
                                    + " directory there instead (a bind mount will do), or move the link away");
                }
            } else if (StorePlace.of(relative).isPlace()) {
                throw new SafetyException(
                        relative,
                        relative + " is a symbolic link to something that is not there: what it stands for may hold"
                                + " indexes; bring it back, or remove the link");
            } else {
                warnings.add("dangling-link", relative, relative + " is a symbolic link to nowhere");
            }
        } catch (PosixException e) {
            throw cannotSee(relative, e);
        }
    }

    private void considerHidden(Directory parent, String text, FileType type, boolean indexName)
            throws DatastoreException {
        String relative = parent.depth() == 0 ? text : parent.relative() + "/" + text;
        if (indexName && type != FileType.DIRECTORY) {
            warnings.add(
                    "hidden-index", relative, "index " + relative + " is hidden by its name and protects no chunk");
        } else if (type == FileType.DIRECTORY && !(parent.depth() == 0 && text.equals(".chunks"))) {
            new HiddenLook(files, task, warnings).look(resolve(parent, text), relative);
        }
    }

    /** Decides about a directory that could not be listed. */
    private void forgive(Directory directory, PosixException e) throws SafetyException {
        boolean denied = e.errno() == Errno.EACCES || e.errno() == Errno.EPERM;
        if (e.errno() == Errno.ENOENT && directory.depth() > 0) {
            task.log("directory " + directory.relative() + " was removed meanwhile");
        } else if (denied && directory.relative().equals("lost+found")) {
            task.log("lost+found may not be read, skipped");
        } else {
            throw cannotSee(directory.depth() == 0 ? directory.path().toString() : directory.relative(), e);
        }
    }

    private static SafetyException cannotSee(String path, PosixException e) {
        return new SafetyException(
                path,
                path + " cannot be looked into, and may hold indexes: " + e.getMessage() + "; nothing has been removed",
                e);
    }

    /**
     * Makes sure that what held the indexes still does.
     *
     * @throws SafetyException if the root, a type or a namespace is another directory than at the beginning, or a
     *     filesystem that was mounted below the root no longer is
     */
    void checkAnchors() throws DatastoreException {
        for (Anchor anchor : anchors) {
            boolean root = anchor.path().equals(layout.root());
            try {
                boolean there = files.stat(anchor.path(), root, stat);
                boolean same = there && stat.device() == anchor.device() && stat.inode() == anchor.inode();
                if (!same && (there || root || anchor.mountPoint())) {
                    throw new SafetyException(
                            anchor.path().toString(),
                            "directory " + anchor.path() + " is no longer the one it was when this run began: was a"
                                    + " filesystem unmounted? Nothing has been removed");
                }
            } catch (PosixException e) {
                throw cannotSee(anchor.path().toString(), e);
            }
        }
    }

    private static long records(byte[] name, long size) {
        int record = name[name.length - 4] == 'f' ? 32 : 40;
        return Math.max(0, size - 4096) / record;
    }

    static boolean isIndexName(byte[] name) {
        int n = name.length;
        return n > 5
                && name[n - 5] == '.'
                && (name[n - 4] == 'f' || name[n - 4] == 'd')
                && name[n - 3] == 'i'
                && name[n - 2] == 'd'
                && name[n - 1] == 'x';
    }

    /** A name as text; a name that text cannot carry back to the disk stops the run, it could not be opened. */
    private static String readable(Directory parent, byte[] name) throws SafetyException {
        String text = new String(name, StandardCharsets.UTF_8);
        if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), name)) {
            return text;
        }
        String shown = parent.relative() + "/" + text;
        throw new SafetyException(shown, "the name " + shown + " is not valid UTF-8 and cannot be opened; rename it");
    }

    private static Path resolve(Directory parent, String text) throws SafetyException {
        try {
            return parent.path().resolve(text);
        } catch (InvalidPathException e) {
            throw new SafetyException(
                    parent.relative() + "/" + text,
                    "the name " + parent.relative() + "/" + text + " cannot be opened under this locale; set LC_ALL to"
                            + " a UTF-8 locale, for example C.UTF-8",
                    e);
        }
    }
}
