package dev.holdfast.archive.tree;

import dev.holdfast.archive.pxar.Acl;
import dev.holdfast.archive.pxar.EntryFlags;
import dev.holdfast.archive.pxar.EntryMetadata;
import dev.holdfast.archive.pxar.EntryStat;
import dev.holdfast.archive.pxar.EntryTime;
import dev.holdfast.archive.pxar.Xattr;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what an archive keeps of an inode. What cannot be read is reported and left out. */
final class MetadataReader {

    private final TreeNode node;
    private final FileStat stat;
    private final Consumer<String> missing;
    private final List<Xattr> xattrs = new ArrayList<>(0);
    private byte @Nullable [] fcaps;
    private byte @Nullable [] accessList;
    private byte @Nullable [] defaultList;

    private MetadataReader(TreeNode node, FileStat stat, Consumer<String> missing) {
        this.node = node;
        this.stat = stat;
        this.missing = missing;
    }

    /** @param missing is told, in a sentence, what was left out */
    static EntryMetadata read(TreeNode node, FileStat stat, Consumer<String> missing) {
        return new MetadataReader(node, stat, missing).read();
    }

    private EntryMetadata read() {
        readXattrs();
        Acl acl = Acl.NONE;
        if (accessList != null || defaultList != null) {
            try {
                acl = PosixAcl.fromXattrs(accessList, defaultList);
            } catch (IllegalArgumentException e) {
                missing.accept("access control list left out: " + e.getMessage());
            }
        }
        long flags = 0;
        Long projectId = null;
        if (stat.type() == FileType.REGULAR || stat.type() == FileType.DIRECTORY) {
            try {
                flags = EntryFlags.fromLinux(Integer.toUnsignedLong(node.attributes()));
                long project = Integer.toUnsignedLong(node.projectId());
                projectId = project == 0 ? null : (Long) project;
            } catch (PosixException e) {
                missing.accept("attributes or quota project left out: " + e.getMessage());
            }
        }
        EntryStat entry = new EntryStat(
                stat.mode(),
                flags,
                Integer.toUnsignedLong(stat.uid()),
                Integer.toUnsignedLong(stat.gid()),
                new EntryTime(stat.modifySeconds(), stat.modifyNanos()));
        return new EntryMetadata(entry, xattrs, acl, fcaps, projectId);
    }

    private void readXattrs() {
        List<byte[]> names;
        try {
            names = node.xattrNames();
        } catch (PosixException e) {
            missing.accept("extended attributes left out: " + e.getMessage());
            return;
        }
        for (byte[] name : names) {
            try {
                readXattr(name);
            } catch (PosixException e) {
                missing.accept("extended attribute left out: " + e.getMessage());
            }
        }
    }

    private void readXattr(byte[] name) throws PosixException {
        if (Arrays.equals(name, XattrNames.CAPABILITY)) {
            fcaps = node.xattr(name);
        } else if (Arrays.equals(name, PosixAcl.ACCESS)) {
            accessList = node.xattr(name);
        } else if (Arrays.equals(name, PosixAcl.DEFAULT)) {
            defaultList = node.xattr(name);
        } else if (XattrNames.isKept(name)) {
            byte[] value = node.xattr(name);
            // Null: removed since the listing.
            if (value != null) {
                xattrs.add(new Xattr(name, value));
            }
        }
    }
}
