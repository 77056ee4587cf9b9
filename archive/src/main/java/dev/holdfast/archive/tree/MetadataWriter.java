package dev.holdfast.archive.tree;

import dev.holdfast.archive.pxar.EntryFlags;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.EntryMetadata;
import dev.holdfast.archive.pxar.EntryTime;
import dev.holdfast.archive.pxar.Xattr;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeNode;
import java.util.function.Consumer;

/**
 * Gives an inode the metadata of its entry, in an order in which no step undoes another: owner (which clears setuid and
 * capabilities), extended attributes, capabilities, access control lists, quota project, mode, time, and the attributes
 * that forbid further changes. Each step that fails is reported, and the others go on.
 */
final class MetadataWriter {

    /** Attributes that must be there before contents: no atime, compress, no copy-on-write, its opposite, project. */
    private static final int EARLY = 0x80 | 0x4 | 0x80_0000 | 0x400 | 0x2000_0000;

    private static final int SETUID_SETGID = 06000;

    private final TreeNode node;
    private final EntryKind kind;
    private final EntryMetadata metadata;
    private final Consumer<String> failed;

    /** One step. */
    private interface Step {
        void run() throws PosixException;
    }

    /** @param failed is told, in a sentence, what was not restored */
    MetadataWriter(TreeNode node, EntryKind kind, EntryMetadata metadata, Consumer<String> failed) {
        this.node = node;
        this.kind = kind;
        this.metadata = metadata;
        this.failed = failed;
    }

    /** What has to be set before the contents are written. */
    void beforeContents() {
        addAttributes(EARLY);
    }

    /** Everything else. @param inherited whether the inode may have got access control lists that are not its own */
    void afterContents(boolean inherited) {
        boolean owned = step(
                "owner",
                () -> node.changeOwner(
                        (int) metadata.stat().uid(), (int) metadata.stat().gid()));
        for (Xattr xattr : metadata.xattrs()) {
            if (XattrNames.isKept(xattr.name())) {
                step("extended attribute", () -> node.setXattr(xattr.name(), xattr.value()));
            }
        }
        byte[] fcaps = metadata.fcaps();
        if (fcaps != null) {
            step("capabilities", () -> node.setXattr(XattrNames.CAPABILITY, fcaps));
        }
        if (kind != EntryKind.SYMLINK) {
            accessControl(inherited);
        }
        Long project = metadata.projectId();
        if (project != null && hasAttributes()) {
            step("quota project", () -> node.changeProjectId(project.intValue()));
        }
        if (kind != EntryKind.SYMLINK) {
            // Running with the rights of whoever restores is not what the mode was set for.
            int lost = owned ? 0 : SETUID_SETGID & metadata.stat().permissions();
            step("mode", () -> node.changeMode(metadata.stat().permissions() & ~lost));
            if (lost != 0) {
                failed.accept("setuid and setgid left out, because the owner was not restored");
            }
        }
        EntryTime mtime = metadata.stat().mtime();
        step("time", () -> node.changeTime(mtime.seconds(), mtime.nanos()));
        addAttributes(~EARLY);
    }

    private void accessControl(boolean inherited) {
        byte[] access;
        byte[] defaults;
        try {
            access = PosixAcl.access(metadata.acl(), metadata.stat().permissions());
            defaults = kind == EntryKind.DIRECTORY ? PosixAcl.defaults(metadata.acl()) : null;
        } catch (IllegalArgumentException e) {
            failed.accept("access control list not restored: " + e.getMessage());
            return;
        }
        if (access != null) {
            step("access control list", () -> node.setXattr(PosixAcl.ACCESS, access));
        } else if (inherited) {
            step("access control list", () -> {
                var unused = node.removeXattr(PosixAcl.ACCESS);
            });
        }
        if (defaults != null) {
            step("default access control list", () -> node.setXattr(PosixAcl.DEFAULT, defaults));
        } else if (inherited && kind == EntryKind.DIRECTORY) {
            step("default access control list", () -> {
                var unused = node.removeXattr(PosixAcl.DEFAULT);
            });
        }
    }

    private void addAttributes(int which) {
        int attributes = (int) EntryFlags.toLinux(metadata.stat().flags()) & which;
        if (attributes != 0 && hasAttributes()) {
            step("attributes", () -> node.addAttributes(attributes));
        }
    }

    private boolean hasAttributes() {
        return kind == EntryKind.FILE || kind == EntryKind.DIRECTORY;
    }

    private boolean step(String what, Step step) {
        try {
            step.run();
            return true;
        } catch (PosixException e) {
            failed.accept(what + " not restored: " + e.getMessage());
            return false;
        }
    }
}
