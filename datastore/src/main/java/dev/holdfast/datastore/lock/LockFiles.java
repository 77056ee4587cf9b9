package dev.holdfast.datastore.lock;

import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.WritableFile;
import java.nio.file.Path;
import java.util.UUID;

/** Creates lock files so that nobody ever sees one with a wrong owner or mode, which would shut others out. */
final class LockFiles {

    private LockFiles() {}

    /** Makes an empty file unless something of that name exists. */
    static void createIfMissing(PosixFiles files, Path path, int mode, FileOwner owner) throws PosixException {
        if (files.stat(path, false, new FileStat())) {
            return;
        }
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp_" + UUID.randomUUID());
        try {
            create(files, temporary, mode, owner);
            linkOrCreate(files, temporary, path, mode, owner);
        } finally {
            var unused = files.unlink(temporary);
        }
    }

    private static void linkOrCreate(PosixFiles files, Path temporary, Path path, int mode, FileOwner owner)
            throws PosixException {
        try {
            // False says that another process was faster, which is as good.
            var unused = files.link(temporary, path);
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM && e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            createWithoutLinks(files, path, mode, owner);
        }
    }

    /** For filesystems that have no hard links. */
    private static void createWithoutLinks(PosixFiles files, Path path, int mode, FileOwner owner)
            throws PosixException {
        try {
            create(files, path, mode, owner);
        } catch (PosixException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    private static void create(PosixFiles files, Path path, int mode, FileOwner owner) throws PosixException {
        try (WritableFile file = files.create(path, mode)) {
            if (!owner.equals(FileOwner.UNCHANGED)) {
                file.changeOwner(owner.uid(), owner.gid());
            }
        }
    }
}
