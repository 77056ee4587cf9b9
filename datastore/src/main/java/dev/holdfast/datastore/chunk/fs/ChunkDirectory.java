package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where the chunks of one store lie, when one is certainly absent, and what to say of a failure. */
final class ChunkDirectory {

    private final PosixFiles files;
    private final String store;
    private final Path root;

    ChunkDirectory(PosixFiles files, String store, Path root) {
        this.files = files;
        this.store = store;
        this.root = root;
    }

    Path root() {
        return root;
    }

    Path chunk(ChunkDigest digest) {
        return root.resolve(ChunkName.relative(digest));
    }

    Path bad(ChunkDigest digest, int n) {
        return root.resolve(ChunkName.relative(digest) + ChunkName.badSuffix(n));
    }

    Path prefix(int prefix) {
        return root.resolve(new String(ChunkName.prefix(prefix), StandardCharsets.US_ASCII));
    }

    DirectoryHandle open() throws DatastoreException {
        try {
            return files.openDirectory(root);
        } catch (PosixException e) {
            throw failure("its chunk directory cannot be opened", e);
        }
    }

    /**
     * Looks at a chunk's file without following a link.
     *
     * @return false only if the chunk is certainly absent
     */
    boolean look(ChunkDigest digest, FileStat into) throws DatastoreException {
        try {
            if (files.stat(chunk(digest), false, into)) {
                return true;
            }
            requirePrefix(digest.prefix(), null);
            return false;
        } catch (PosixException e) {
            throw failure(digest, "cannot be looked at", e);
        }
    }

    /** Turns a name that was not found into doubt, if it is its directory that is not there. */
    void requirePrefix(int prefix, @Nullable Throwable cause) throws DatastoreException, PosixException {
        FileStat stat = new FileStat();
        if (!files.stat(prefix(prefix), true, stat) || stat.type() != FileType.DIRECTORY) {
            throw missingPrefix(prefix, cause);
        }
    }

    DatastoreException missingPrefix(int prefix, @Nullable Throwable cause) {
        return new DatastoreException(
                "datastore '" + store + "': chunk directory " + prefix(prefix)
                        + " is missing, so nothing can be said of the chunks that belong there. Such directories are made"
                        + " only together with the store: find out where it went, or make it again, empty, with the owner"
                        + " and mode of its neighbours",
                cause);
    }

    void requireRegular(ChunkDigest digest, FileStat stat) throws DatastoreException {
        if (stat.type() != FileType.REGULAR) {
            throw new DatastoreException("datastore '" + store + "': chunk " + digest + " is not a regular file but "
                    + describe(stat.type()) + ": " + chunk(digest) + "; move it away");
        }
    }

    static String describe(FileType type) {
        return switch (type) {
            case SYMLINK -> "a symbolic link";
            case UNKNOWN -> "something unknown";
            case REGULAR -> "a regular file";
            default -> "a " + type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    DatastoreException failure(ChunkDigest digest, String what, Throwable cause) {
        return failure("chunk " + digest + " " + what, cause);
    }

    DatastoreException failure(String what, Throwable cause) {
        return new DatastoreException("datastore '" + store + "': " + what + ": " + cause.getMessage(), cause);
    }

    DatastoreException failure(String what) {
        return new DatastoreException("datastore '" + store + "': " + what);
    }
}
