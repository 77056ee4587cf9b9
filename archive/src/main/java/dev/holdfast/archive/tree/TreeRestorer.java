package dev.holdfast.archive.tree;

import dev.holdfast.archive.SourceInputStream;
import dev.holdfast.archive.pxar.EntryBody;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.EntryMetadata;
import dev.holdfast.archive.pxar.PxarDecoder;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.archive.tree.RestoreRefusedException.Reason;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import dev.holdfast.posix.TreeFiles;
import dev.holdfast.posix.TreeNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Restores an archive, or parts of it, below a directory, and never outside of it, whatever the archive says.
 *
 * <ul>
 *   <li>Every entry is created relative to the open directory that holds it, by a name of one component, and must not
 *       exist; no symbolic link is followed, whether the archive planted it or it was there.
 *   <li>A hard link is made to an earlier file of the same archive only, which is found by walking down from the target
 *       without following links.
 *   <li>Metadata is set on the inode that was created. What the privileges do not allow is reported. Setuid and setgid
 *       are left out where the owner could not be restored.
 *   <li>A directory gets its metadata when it is left, so that its time is that of the archive.
 * </ul>
 *
 * <p>Blocks of zeros become holes. Contents are not synced to disk. An instance serves one restore, in one thread.
 */
public final class TreeRestorer {

    private static final int READ = 1 << 20;
    private static final int EMLINK = 31;

    private final PxarReader reader;
    private final ExistingTargets existing;
    private final RestoreListener listener;
    private final byte[] buffer = new byte[READ];

    private @Nullable TreeDirectory root;
    private @Nullable Selection selection;
    private long entries;
    private long bytes;
    private long problems;

    public TreeRestorer(PxarReader reader, ExistingTargets existing, RestoreListener listener) {
        this.reader = reader;
        this.existing = existing;
        this.listener = listener;
    }

    /**
     * Restores the whole archive; the target gets the metadata of the root.
     *
     * @param target a directory, which is made if it is missing (not its parents)
     * @throws RestoreRefusedException if the restore would have done what it must not
     * @throws dev.holdfast.archive.ArchiveFormatException if the archive is malformed
     */
    public RestoreSummary restore(TreeFiles files, Path target) throws IOException {
        return restore(files, target, List.of(new byte[0]));
    }

    /**
     * Restores some entries with all below them. They keep their paths, and the directories on the way get their metadata
     * unless they were there before.
     *
     * @param paths from the root of the archive
     */
    public RestoreSummary restore(TreeFiles files, Path target, Collection<byte[]> paths) throws IOException {
        Selection selected = Selection.of(reader, paths);
        selection = selected;
        try (TreeDirectory directory = files.makeRoot(target)) {
            root = directory;
            RestoreTarget top = new RestoreTarget(directory, selected.entry(), RestoreTarget.Origin.FOUND);
            if (selected.isWhole()) {
                checkMode(selected.entry(), directory.path());
                stream(top, selected.entry());
            } else {
                parts(top, selected);
            }
        }
        return new RestoreSummary(entries, bytes, problems);
    }

    private void parts(RestoreTarget parent, Selection part) throws IOException {
        for (Selection child : part.children()) {
            if (child.isWhole()) {
                stream(parent, child.entry());
            } else {
                enter(parent, child.entry());
                try (RestoreTarget directory = parent.createDirectory(child.entry(), existing)) {
                    parts(directory, child);
                    if (!directory.found()) {
                        leave(directory);
                    }
                }
            }
        }
    }

    /** Restores an entry and all below it, in the order of the archive. */
    private void stream(RestoreTarget parent, PxarEntry top) throws IOException {
        PxarDecoder decoder = reader.stream(top);
        Deque<RestoreTarget> open = new ArrayDeque<>();
        try {
            open.push(parent);
            while (true) {
                switch (decoder.next()) {
                    case ENTRY -> {
                        PxarEntry entry = decoder.entry();
                        if (entry.isRoot()) {
                            entries++;
                        } else {
                            enter(open.getFirst(), entry);
                            if (entry.kind() == EntryKind.DIRECTORY) {
                                open.push(open.getFirst().createDirectory(entry, existing));
                            } else {
                                leaf(open.getFirst(), entry, decoder);
                            }
                        }
                    }
                    case DIRECTORY_END -> {
                        leave(open.getFirst());
                        if (open.size() > 1) {
                            open.pop().close();
                        }
                    }
                    case END -> {
                        return;
                    }
                }
            }
        } finally {
            // The parent is the caller's.
            while (open.size() > 1) {
                open.pop().close();
            }
        }
    }

    private void enter(RestoreTarget parent, PxarEntry entry) throws IOException {
        listener.progress(entries, bytes);
        parent.claim(entry.name());
        checkMode(entry, parent.pathOf(entry.name()));
        entries++;
    }

    private static void checkMode(PxarEntry entry, String path) throws RestoreRefusedException {
        EntryMetadata metadata = entry.metadataOrNull();
        if (metadata != null && (metadata.stat().mode() & ~0177777L) != 0) {
            throw new RestoreRefusedException(path, Reason.BAD_METADATA);
        }
    }

    private void leave(RestoreTarget directory) {
        new MetadataWriter(
                        directory.directory(),
                        EntryKind.DIRECTORY,
                        directory.entry().metadata(),
                        failure(directory.directory().path()))
                .afterContents(directory.hasForeignLists());
    }

    private void leaf(RestoreTarget parent, PxarEntry entry, PxarDecoder decoder) throws IOException {
        switch (entry.kind()) {
            case FILE -> {
                try (InputStream content = decoder.content()) {
                    file(parent, entry.name(), entry.metadata(), content);
                }
            }
            case HARD_LINK -> hardLink(parent, entry);
            case SYMLINK -> symlink(parent, entry);
            default -> node(parent, entry);
        }
    }

    private void file(RestoreTarget parent, byte[] name, EntryMetadata metadata, InputStream content)
            throws IOException {
        try (TreeFile file =
                parent.create(name, existing, () -> parent.directory().createFile(name, 0600))) {
            MetadataWriter writer = new MetadataWriter(file, EntryKind.FILE, metadata, failure(file.path()));
            writer.beforeContents();
            SparseWriter out = new SparseWriter(file);
            int n = content.readNBytes(buffer, 0, READ);
            while (n > 0) {
                out.write(buffer, n);
                bytes += n;
                listener.progress(entries, bytes);
                n = content.readNBytes(buffer, 0, READ);
            }
            out.finish();
            writer.afterContents(parent.handsDown());
        }
    }

    private void symlink(RestoreTarget parent, PxarEntry entry) throws IOException {
        byte[] name = entry.name();
        byte[] target = ((EntryBody.Symlink) entry.body()).target();
        boolean sound = target.length > 0;
        for (byte b : target) {
            sound &= b != 0;
        }
        if (!sound) {
            throw new RestoreRefusedException(parent.pathOf(name), Reason.BAD_METADATA);
        }
        parent.create(name, existing, () -> {
            parent.directory().makeLink(name, target);
            return true;
        });
        applyTo(parent, entry);
    }

    private void node(RestoreTarget parent, PxarEntry entry) throws IOException {
        byte[] name = entry.name();
        long major = 0;
        long minor = 0;
        if (entry.body() instanceof EntryBody.Device device) {
            major = device.major();
            minor = device.minor();
        }
        if (major >>> 32 != 0 || minor >>> 32 != 0) {
            problem(RestoreProblem.NOT_CREATED, parent.pathOf(name), "its device number is out of range");
            return;
        }
        int mode = entry.metadata().stat().type() | 0600;
        int high = (int) major;
        int low = (int) minor;
        try {
            parent.create(name, existing, () -> {
                parent.directory().makeNode(name, mode, high, low);
                return true;
            });
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM && e.errno() != Errno.EINVAL && e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            problem(RestoreProblem.NOT_CREATED, parent.pathOf(name), e.getMessage());
            return;
        }
        applyTo(parent, entry);
    }

    private void applyTo(RestoreTarget parent, PxarEntry entry) throws PosixException {
        try (TreeNode node = parent.directory().openNode(entry.name())) {
            new MetadataWriter(node, entry.kind(), entry.metadata(), failure(node.path()))
                    .afterContents(parent.handsDown());
        }
    }

    private void hardLink(RestoreTarget parent, PxarEntry link) throws IOException {
        byte[] name = link.name();
        byte[] path = ((EntryBody.HardLink) link.body()).path();
        List<byte[]> components = Selection.components(path);
        PxarEntry target = reader.target(link);
        PxarEntry named = isPlain(path) ? reader.lookup(path) : null;
        // Path and distance must agree on one file: it was restored earlier in this run, or was not asked for.
        if (named == null || named.place().filename() != target.place().filename()) {
            throw new RestoreRefusedException(parent.pathOf(name), Reason.BAD_HARD_LINK);
        }
        if (selection != null && selection.contains(components) && linked(parent, name, components)) {
            return;
        }
        problem(
                RestoreProblem.LINK_BECAME_COPY,
                parent.pathOf(name),
                "the other name of this file was not restored, or cannot be linked to");
        try (InputStream content =
                new SourceInputStream(reader.content(target), 0, ((EntryBody.File) target.body()).size())) {
            file(parent, name, target.metadata(), content);
        }
    }

    /** A relative path of plain components, each of them not empty. */
    private static boolean isPlain(byte[] path) {
        boolean plain = path.length > 0;
        int from = 0;
        for (int at = 0; plain && at <= path.length; at++) {
            if (at == path.length || path[at] == '/') {
                int length = at - from;
                boolean dots = length > 0 && length <= 2 && path[from] == '.' && path[at - 1] == '.';
                plain = length > 0 && !dots;
                from = at + 1;
            }
        }
        return plain;
    }

    /** @return false if the filesystem has no way to link the two names */
    private boolean linked(RestoreTarget parent, byte[] name, List<byte[]> target) throws IOException {
        Deque<TreeDirectory> opened = new ArrayDeque<>();
        try {
            TreeDirectory at = root;
            if (at == null) {
                throw new IllegalStateException("no restore is under way");
            }
            for (byte[] component : target.subList(0, target.size() - 1)) {
                at = at.openDirectory(component);
                opened.push(at);
            }
            byte[] last = target.get(target.size() - 1);
            TreeDirectory from = at;
            FileStat stat = new FileStat();
            if (!from.stat(last, stat) || stat.type() != FileType.REGULAR) {
                return false;
            }
            parent.create(name, existing, () -> {
                parent.directory().hardLink(from, last, name);
                return true;
            });
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.EXDEV || e.errno() == Errno.EPERM || e.number() == EMLINK) {
                return false;
            }
            throw e;
        } finally {
            opened.forEach(TreeDirectory::close);
        }
    }

    private Consumer<String> failure(String path) {
        return what -> problem(RestoreProblem.METADATA_NOT_RESTORED, path, what);
    }

    private void problem(RestoreProblem problem, String path, String detail) {
        problems++;
        listener.problem(problem, path, detail);
    }
}
