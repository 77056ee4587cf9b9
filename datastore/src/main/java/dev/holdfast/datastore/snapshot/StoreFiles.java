package dev.holdfast.datastore.snapshot;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The small files and directories of one store, with the store's owner and modes: whole reads, atomic replacement,
 * listing, removal. Symbolic links are never followed in the last component. Only ENOENT means "not there"; every other
 * failure is a {@link DatastoreException} that names path and reason. Safe for use by any thread.
 */
public final class StoreFiles {

    /** Passes over a directory that somebody may still be filling, before its removal gives up. */
    private static final int REMOVAL_PASSES = 8;

    private final PosixFiles files;
    private final FileOwner owner;

    /** @param owner who gets what is made here; {@link FileOwner#UNCHANGED} unless the process is root */
    public StoreFiles(PosixFiles files, FileOwner owner) {
        this.files = files;
        this.owner = owner;
    }

    /** One entry of a listing: its name as text, and its type, never {@link FileType#UNKNOWN}. */
    public record Entry(String name, FileType type) {}

    /** The type of what lies at a path, a link being a link; empty if there is nothing. */
    public Optional<FileType> typeOf(Path path) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            return files.stat(path, false, stat) ? Optional.of(stat.type()) : Optional.empty();
        } catch (PosixException e) {
            throw failure("look at", path, e);
        }
    }

    public boolean isDirectory(Path path) throws DatastoreException {
        return typeOf(path).filter(type -> type == FileType.DIRECTORY).isPresent();
    }

    /**
     * The entries of a directory in the order of the filesystem; empty if the directory is not there. A name that is not
     * UTF-8 comes with replacement characters, so it matches no pattern of the layout. Entries that vanish meanwhile are
     * left out.
     */
    public Optional<List<Entry>> list(Path directory) throws DatastoreException {
        try (DirectoryHandle handle = files.openDirectory(directory)) {
            List<Entry> entries = new ArrayList<>();
            FileStat stat = new FileStat();
            for (DirectoryEntry entry = handle.next(); entry != null; entry = handle.next()) {
                FileType type = entry.type();
                if (type == FileType.UNKNOWN) {
                    if (!handle.stat(entry.name(), stat)) {
                        continue;
                    }
                    type = stat.type();
                }
                entries.add(new Entry(entry.text(), type));
            }
            return Optional.of(entries);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw failure("list", directory, e);
        }
    }

    /**
     * The whole content of a regular file; empty if it is not there.
     *
     * @param limit largest length to accept, bytes
     * @throws FormatException if it is no regular file, or longer
     */
    public Optional<byte[]> read(Path path, int limit) throws DatastoreException {
        Optional<FileType> type = typeOf(path);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        if (type.get() != FileType.REGULAR) {
            throw new FormatException(path.toString(), path + " is no regular file");
        }
        try (ReadableFile file = files.openForReading(path)) {
            long size = file.size();
            if (size > limit) {
                throw new FormatException(
                        path.toString(), path + " has " + size + " bytes, more than the " + limit + " allowed");
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) size);
            int length = size == 0 ? 0 : file.read(0, buffer);
            if (length != size) {
                throw new DatastoreException(path + " became shorter while it was read; try again");
            }
            return Optional.of(buffer.array());
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw failure("read", path, e);
        }
    }

    /** Replaces a file whole or not at all, mode 0644. */
    public void replace(Path path, byte[] content, AtomicFile.Durability durability) throws DatastoreException {
        try {
            AtomicFile.replace(
                    files,
                    path,
                    ByteBuffer.wrap(content),
                    new AtomicFile.Attributes(owner, DatastoreLayout.FILE_MODE),
                    durability);
        } catch (IOException e) {
            throw new DatastoreException("cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    /** Makes an empty file, mode 0644. @return false if something of that name exists */
    public boolean createEmpty(Path path) throws DatastoreException {
        try (var file = files.create(path, DatastoreLayout.FILE_MODE)) {
            if (!owner.equals(FileOwner.UNCHANGED)) {
                file.changeOwner(owner.uid(), owner.gid());
            }
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.EEXIST) {
                return false;
            }
            throw failure("make", path, e);
        }
    }

    /** Makes one directory, mode 0755. @return false if something of that name exists */
    public boolean makeDirectory(Path path) throws DatastoreException {
        try {
            if (!files.makeDirectory(path, DatastoreLayout.DIRECTORY_MODE)) {
                return false;
            }
            if (!owner.equals(FileOwner.UNCHANGED)) {
                files.changeOwner(path, owner.uid(), owner.gid());
            }
            return true;
        } catch (PosixException e) {
            throw failure("make", path, e);
        }
    }

    /** Makes one directory, or takes the one that is there. */
    public void requireDirectory(Path path) throws DatastoreException {
        if (!makeDirectory(path) && !isDirectory(path)) {
            throw new DatastoreException(path + " is in the way: it is no directory");
        }
    }

    /** @return false if it was not there */
    public boolean unlink(Path path) throws DatastoreException {
        try {
            return files.unlink(path);
        } catch (PosixException e) {
            throw failure("remove", path, e);
        }
    }

    /** Removes an empty directory. @return false if it was not empty */
    public boolean removeEmptyDirectory(Path path) throws DatastoreException {
        try {
            var unused = files.removeDirectory(path);
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOTEMPTY || e.errno() == Errno.EEXIST) {
                return false;
            }
            throw failure("remove", path, e);
        }
    }

    /** Makes the names in a directory durable. */
    public void syncDirectory(Path path) throws DatastoreException {
        try (DirectoryHandle handle = files.openDirectory(path)) {
            handle.fsync();
        } catch (PosixException e) {
            throw failure("sync", path, e);
        }
    }

    /** Removes whatever lies at a path, a directory with all below it; a link goes itself, never what it points to. */
    public void removeTree(Path path) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (!files.stat(path, false, stat)) {
                return;
            }
        } catch (PosixException e) {
            throw failure("look at", path, e);
        }
        if (stat.type() == FileType.DIRECTORY) {
            removeDirectory(path, stat.device(), stat.inode());
        } else {
            var unused = unlink(path);
        }
    }

    /** Removes everything in a directory, which may be reached through a link, and leaves the directory. */
    public void removeContents(Path directory) throws DatastoreException {
        FileStat stat = new FileStat();
        try {
            if (files.stat(directory, true, stat)) {
                removeContents(directory, stat.device(), stat.inode());
            }
        } catch (PosixException e) {
            throw failure("look at", directory, e);
        }
    }

    private void removeDirectory(Path directory, long device, long inode) throws DatastoreException {
        for (int pass = 0; pass < REMOVAL_PASSES; pass++) {
            removeContents(directory, device, inode);
            if (removeEmptyDirectory(directory)) {
                return;
            }
        }
        throw new DatastoreException("cannot remove " + directory + ": somebody keeps putting files into it");
    }

    /**
     * Files are unlinked relative to the open directory, and the directory must be the one that was looked at: so a link
     * that somebody puts in its place meanwhile does not lead out of the tree.
     */
    private void removeContents(Path directory, long device, long inode) throws DatastoreException {
        List<DirectoryEntry> entries = new ArrayList<>();
        FileStat stat = new FileStat();
        try (DirectoryHandle handle = files.openDirectory(directory)) {
            handle.stat(stat);
            if (stat.device() != device || stat.inode() != inode) {
                throw new DatastoreException(
                        directory + " was replaced while it was being removed; look what it is now");
            }
            for (DirectoryEntry entry = handle.next(); entry != null; entry = handle.next()) {
                entries.add(entry);
            }
            for (DirectoryEntry entry : entries) {
                if (!handle.stat(entry.name(), stat)) {
                    continue;
                }
                if (stat.type() == FileType.DIRECTORY) {
                    removeDirectory(child(directory, entry), stat.device(), stat.inode());
                } else {
                    var unused = handle.unlink(entry.name());
                }
            }
        } catch (PosixException e) {
            if (e.errno() != Errno.ENOENT) {
                throw failure("remove the content of", directory, e);
            }
        }
    }

    private static Path child(Path parent, DirectoryEntry entry) throws DatastoreException {
        String text = entry.text();
        InvalidPathException cause = null;
        if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), entry.name())) {
            try {
                return parent.resolve(text);
            } catch (InvalidPathException e) {
                cause = e;
            }
        }
        throw new DatastoreException(
                "cannot remove " + parent + "/" + text
                        + ": its name is not in the character set of this system; remove that directory by hand",
                cause);
    }

    /** Turns a failed call into the exception of this module; the cause names call, path and errno. */
    public static DatastoreException failure(String verb, Path path, PosixException cause) {
        return new DatastoreException("cannot " + verb + " " + path + ": " + cause.getMessage(), cause);
    }
}
