package dev.holdfast.datastore;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares an existing store with the layout, without changing anything: modes (the nine permission bits only), owners,
 * and whether all prefix directories are there. For one use.
 */
final class StoreSurvey {

    private final PosixFiles files;
    private final DatastoreLayout layout;
    private final List<String> notes = new ArrayList<>();

    StoreSurvey(PosixFiles files, DatastoreLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    List<String> run() throws DatastoreException {
        FileStat root = new FileStat();
        check(layout.root(), root, DatastoreLayout.ROOT_MODE, null);
        FileStat stat = new FileStat();
        check(layout.chunks(), stat, DatastoreLayout.CHUNK_DIRECTORY_MODE, root);
        if (!check(layout.lockFile(), stat, DatastoreLayout.FILE_MODE, root)) {
            notes.add(layout.lockFile() + " is missing; it is made when the store is opened for writing");
        }
        checkPrefixes(root);
        return List.copyOf(notes);
    }

    private boolean check(Path path, FileStat stat, int mode, @org.jspecify.annotations.Nullable FileStat root)
            throws DatastoreException {
        try {
            if (!files.stat(path, true, stat)) {
                return false;
            }
        } catch (PosixException e) {
            throw StoreFiles.failure("look at", path, e);
        }
        if (stat.permissions() != mode) {
            notes.add(path + " has mode " + octal(stat.permissions()) + " instead of " + octal(mode));
        }
        if (root != null && !sameOwner(stat, root)) {
            notes.add(path + " belongs to " + owner(stat) + ", but the store's root to " + owner(root));
        }
        return true;
    }

    private void checkPrefixes(FileStat root) throws DatastoreException {
        Tally missing = new Tally("is missing; chunks of this prefix cannot be stored");
        Tally foreign = new Tally("is no directory");
        Tally modes = new Tally("has another mode than " + octal(DatastoreLayout.CHUNK_DIRECTORY_MODE));
        Tally owners = new Tally("does not belong to " + owner(root) + ", the owner of the store's root");
        FileStat stat = new FileStat();
        try (DirectoryHandle chunks = files.openDirectory(layout.chunks())) {
            for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
                byte[] name = ChunkName.prefix(prefix);
                if (!chunks.stat(name, stat)) {
                    missing.add(name);
                    continue;
                }
                if (stat.type() == FileType.SYMLINK && !follow(name, stat)) {
                    missing.add(name);
                } else if (stat.type() != FileType.DIRECTORY) {
                    foreign.add(name);
                } else {
                    if (stat.permissions() != DatastoreLayout.CHUNK_DIRECTORY_MODE) {
                        modes.add(name);
                    }
                    if (!sameOwner(stat, root)) {
                        owners.add(name);
                    }
                }
            }
        } catch (PosixException e) {
            throw StoreFiles.failure("check", layout.chunks(), e);
        }
        for (Tally tally : List.of(missing, foreign, modes, owners)) {
            tally.report();
        }
    }

    private boolean follow(byte[] name, FileStat stat) throws PosixException {
        return files.stat(layout.chunks().resolve(new String(name, StandardCharsets.US_ASCII)), true, stat);
    }

    private static boolean sameOwner(FileStat a, FileStat b) {
        return a.uid() == b.uid() && a.gid() == b.gid();
    }

    private static String owner(FileStat stat) {
        return stat.uid() + ":" + stat.gid();
    }

    private static String octal(int mode) {
        return String.format("%04o", mode);
    }

    /** Prefix directories that deviate in one way: one of them by name, the others by number. */
    private final class Tally {

        private final String what;
        private String first = "";
        private int count;

        Tally(String what) {
            this.what = what;
        }

        void add(byte[] name) {
            if (count++ == 0) {
                first = layout.chunks() + "/" + new String(name, StandardCharsets.US_ASCII);
            }
        }

        void report() {
            if (count > 0) {
                notes.add(first + " " + what + (count > 1 ? " (so do " + (count - 1) + " others)" : ""));
            }
        }
    }
}
