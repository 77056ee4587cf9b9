package dev.holdfast.archive.tree;

import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The part of an archive that was asked for: a tree of the entries on the ways to it. Children stand in the order of the
 * archive, so that what a hard link points to comes before the link.
 */
final class Selection {

    private final PxarEntry entry;
    private final List<Selection> children = new ArrayList<>();
    private boolean whole;

    private Selection(PxarEntry entry) {
        this.entry = entry;
    }

    /** @throws RestoreRefusedException if a path is not in the archive */
    static Selection of(PxarReader reader, Collection<byte[]> paths) throws IOException {
        Selection root = new Selection(reader.root().entry());
        for (byte[] path : paths) {
            Selection at = root;
            for (byte[] name : components(path)) {
                at = at.child(name, reader, path);
            }
            at.whole = true;
        }
        root.sort();
        return root;
    }

    private Selection child(byte[] name, PxarReader reader, byte[] path) throws IOException {
        for (Selection child : children) {
            if (Arrays.equals(child.entry.name(), name)) {
                return child;
            }
        }
        PxarEntry found =
                entry.kind() == EntryKind.DIRECTORY ? reader.directory(entry).lookup(name) : null;
        if (found == null) {
            throw new RestoreRefusedException(
                    new String(path, StandardCharsets.UTF_8), RestoreRefusedException.Reason.NOT_IN_ARCHIVE);
        }
        Selection child = new Selection(found);
        children.add(child);
        return child;
    }

    private void sort() {
        children.sort(Comparator.comparingLong(c -> c.entry.place().filename()));
        children.forEach(Selection::sort);
    }

    /** The components of a path; empty ones do not count. */
    static List<byte[]> components(byte[] path) {
        List<byte[]> components = new ArrayList<>();
        int from = 0;
        for (int at = 0; at <= path.length; at++) {
            if (at == path.length || path[at] == '/') {
                if (at > from) {
                    components.add(Arrays.copyOfRange(path, from, at));
                }
                from = at + 1;
            }
        }
        return components;
    }

    PxarEntry entry() {
        return entry;
    }

    /** Whether all below the entry was asked for too. */
    boolean isWhole() {
        return whole;
    }

    List<Selection> children() {
        return children;
    }

    /** Whether an entry was asked for. */
    boolean contains(List<byte[]> path) {
        Selection at = this;
        for (byte[] name : path) {
            if (at.whole) {
                return true;
            }
            Selection next = null;
            for (Selection child : at.children) {
                if (Arrays.equals(child.entry.name(), name)) {
                    next = child;
                }
            }
            if (next == null) {
                return false;
            }
            at = next;
        }
        return at.whole;
    }
}
