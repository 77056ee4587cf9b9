package dev.holdfast.archive.tree;

import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.tree.RestoreRefusedException.Reason;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A directory into which entries are restored. Everything is created new, relative to the open directory, and never
 * opened through a name that could be a link; what is in the way is refused or removed first.
 */
final class RestoreTarget implements AutoCloseable {

    private final TreeDirectory directory;
    private final PxarEntry entry;
    private final Origin origin;
    private final boolean handsDown;
    private final NameSet names = new NameSet();

    /** How the directory came to be. */
    enum Origin {
        /** It was there before the restore. */
        FOUND,
        /** The restore made it. */
        MADE,
        /** The restore made it in a directory that hands down access control lists to what is made in it. */
        MADE_WITH_LISTS
    }

    RestoreTarget(TreeDirectory directory, PxarEntry entry, Origin origin) throws PosixException {
        this.directory = directory;
        this.entry = entry;
        this.origin = origin;
        switch (origin) {
            case FOUND -> handsDown = directory.xattr(PosixAcl.DEFAULT) != null;
            case MADE_WITH_LISTS -> {
                // Or all that is made in it would get lists that the archive does not know.
                var unused = directory.removeXattr(PosixAcl.DEFAULT);
                handsDown = false;
            }
            default -> handsDown = false;
        }
    }

    /** Creates something under a name that must be free. */
    interface Creation<T> {
        T create() throws PosixException;
    }

    TreeDirectory directory() {
        return directory;
    }

    /** The entry that the directory is restored from. */
    PxarEntry entry() {
        return entry;
    }

    /** Whether the directory was there before. */
    boolean found() {
        return origin == Origin.FOUND;
    }

    /** Whether the directory itself may have access control lists that are not those of its entry. */
    boolean hasForeignLists() {
        return origin != Origin.MADE;
    }

    /** Whether what is made in it gets access control lists from it. */
    boolean handsDown() {
        return handsDown;
    }

    String pathOf(byte[] name) {
        return directory.path() + "/" + new String(name, StandardCharsets.UTF_8);
    }

    /** @throws RestoreRefusedException if the archive gave the name before, in this directory */
    void claim(byte[] name) throws RestoreRefusedException {
        if (!names.add(name)) {
            throw new RestoreRefusedException(pathOf(name), Reason.DUPLICATE_NAME);
        }
    }

    /** Creates; if the name is taken, refuses or, where that was asked for, removes what is there and creates again. */
    <T> T create(byte[] name, ExistingTargets existing, Creation<T> creation) throws IOException {
        try {
            return creation.create();
        } catch (PosixException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
            if (existing == ExistingTargets.REFUSE) {
                throw refused(name, Reason.EXISTS, e);
            }
            FileStat stat = new FileStat();
            if (directory.stat(name, stat) && stat.type() == FileType.DIRECTORY) {
                throw refused(name, Reason.DIRECTORY_IN_THE_WAY, e);
            }
            var unused = directory.unlink(name);
            return creation.create();
        }
    }

    /** Makes a directory, or enters the one that is there if that was asked for. */
    RestoreTarget createDirectory(PxarEntry child, ExistingTargets existing) throws IOException {
        byte[] name = child.name();
        FileStat stat = new FileStat();
        boolean there = existing == ExistingTargets.OVERWRITE
                && directory.stat(name, stat)
                && stat.type() == FileType.DIRECTORY;
        if (!there) {
            create(name, existing, () -> {
                directory.makeDirectory(name, 0700);
                return true;
            });
        }
        TreeDirectory opened = directory.openDirectory(name);
        boolean complete = false;
        try {
            Origin how = handsDown ? Origin.MADE_WITH_LISTS : Origin.MADE;
            RestoreTarget target = new RestoreTarget(opened, child, there ? Origin.FOUND : how);
            complete = true;
            return target;
        } finally {
            if (!complete) {
                opened.close();
            }
        }
    }

    private RestoreRefusedException refused(byte[] name, Reason reason, PosixException cause) {
        RestoreRefusedException refused = new RestoreRefusedException(pathOf(name), reason);
        refused.initCause(cause);
        return refused;
    }

    @Override
    public void close() {
        directory.close();
    }
}
