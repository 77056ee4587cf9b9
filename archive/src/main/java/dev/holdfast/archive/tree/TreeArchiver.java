package dev.holdfast.archive.tree;

import dev.holdfast.archive.catalog.CatalogType;
import dev.holdfast.archive.catalog.CatalogWriter;
import dev.holdfast.archive.pxar.EntryMetadata;
import dev.holdfast.archive.pxar.EntryStat;
import dev.holdfast.archive.pxar.EntryTime;
import dev.holdfast.archive.pxar.LinkTarget;
import dev.holdfast.archive.pxar.PxarEncoder;
import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import dev.holdfast.posix.TreeFiles;
import dev.holdfast.posix.TreeNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks a directory tree and writes it as an archive, and beside it the catalogue.
 *
 * <p>Names are looked up relative to open directories and links are never followed: whatever is renamed or replaced in
 * the tree meanwhile, nothing outside of it gets into the archive. The type and metadata of an entry are those of the
 * inode that was opened, not of the name that was listed.
 *
 * <p>What cannot be opened, has vanished or changes while it is read is reported, and the backup goes on. An error while
 * reading the contents of an open file ends the backup: its length stands in the archive already, and zeros in place of
 * what the disk does not give would look like a good file. An instance serves one backup, in one thread.
 */
public final class TreeArchiver {

    private static final byte[] EXCLUDES_OF_COMMAND = ".pxarexclude-cli".getBytes(StandardCharsets.US_ASCII);
    private static final int READ = 1 << 20;

    private final ArchiveOptions options;
    private final ArchiveListener listener;
    private final PxarEncoder encoder;
    private final @Nullable CatalogWriter catalog;
    private final Map<Inode, Links> links = new HashMap<>();
    private final byte[] buffer = new byte[READ];

    private long rootDevice;
    private int namesHeld;
    private long entries;
    private long bytes;
    private long problems;

    private record Inode(long device, long number) {}

    /** A file with several names, and how many of them have not been met yet. */
    private static final class Links {
        final LinkTarget target;
        long left;

        Links(LinkTarget target, long left) {
            this.target = target;
            this.left = left;
        }
    }

    /** @param catalog in which an archive was started, which the walk fills and ends; or null */
    public TreeArchiver(
            PxarEncoder encoder, @Nullable CatalogWriter catalog, ArchiveOptions options, ArchiveListener listener) {
        this.encoder = encoder;
        this.catalog = catalog;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Writes the tree below a directory, from the first byte of the archive to the last.
     *
     * @throws PosixException if the root cannot be read, contents fail while being read, or descriptors or memory run out
     * @throws TooManyEntriesException if more names would be held than the options allow
     */
    public ArchiveSummary archive(TreeFiles files, Path root) throws IOException {
        try (TreeDirectory directory = files.openRoot(root)) {
            FileStat stat = new FileStat();
            directory.stat(stat);
            rootDevice = stat.device();
            List<byte[]> names = list(directory);
            names.removeIf(name -> Arrays.equals(name, EXCLUDES_OF_COMMAND));
            encoder.startRoot(metadata(directory, stat));
            count();
            children(directory, names, new Place(new byte[0], ExcludeRules.of(options.excludes()), 1));
            if (encoder.version() == 1 && !options.excludes().isEmpty()) {
                noteExcludes();
            }
            encoder.endDirectory();
            if (catalog != null) {
                catalog.endDirectory();
            }
        }
        return new ArchiveSummary(entries, bytes, problems);
    }

    /** A directory on the way: its path from the root, the excludes above it, and how deep it is. */
    private record Place(byte[] path, ExcludeRules rules, int depth) {
        byte[] pathOf(byte[] name) {
            if (path.length == 0) {
                return name;
            }
            byte[] joined = Arrays.copyOf(path, path.length + 1 + name.length);
            joined[path.length] = '/';
            System.arraycopy(name, 0, joined, path.length + 1, name.length);
            return joined;
        }
    }

    private List<byte[]> list(TreeDirectory directory) throws IOException {
        List<byte[]> names = new ArrayList<>();
        for (DirectoryEntry entry = directory.next(); entry != null; entry = directory.next()) {
            names.add(entry.name());
            if (names.size() > options.maximumEntries() - namesHeld) {
                throw new TooManyEntriesException(directory.path(), options.maximumEntries());
            }
        }
        names.sort(Arrays::compareUnsigned);
        return names;
    }

    private void children(TreeDirectory directory, List<byte[]> names, Place place) throws IOException {
        ExcludeRules rules = place.rules();
        if (names.stream().anyMatch(name -> Arrays.equals(name, ExcludeFile.NAME))) {
            rules = rules.with(place.path(), ExcludeFile.read(directory, this::excludesIgnored));
        }
        Place here = new Place(place.path(), rules, place.depth());
        namesHeld += names.size();
        byte[] last = null;
        for (byte[] name : names) {
            // A directory that changes while it is listed may give a name twice.
            if (last == null || !Arrays.equals(last, name)) {
                child(directory, name, here);
            }
            last = name;
        }
        namesHeld -= names.size();
    }

    private void excludesIgnored(String path, String why) {
        problem(ArchiveProblem.EXCLUDES_IGNORED, path, why);
    }

    private void child(TreeDirectory parent, byte[] name, Place place) throws IOException {
        listener.progress(entries, bytes);
        FileStat stat = new FileStat();
        String shown = parent.path() + "/" + new String(name, StandardCharsets.UTF_8);
        try {
            if (!parent.stat(name, stat)) {
                problem(ArchiveProblem.VANISHED, shown, "it was there when the directory was listed");
                return;
            }
        } catch (PosixException e) {
            leaveOut(e, shown);
            return;
        }
        FileType type = stat.type();
        if (place.rules().excludes(place.pathOf(name), type == FileType.DIRECTORY)) {
            return;
        }
        switch (type) {
            case DIRECTORY -> directory(parent, name, place);
            case REGULAR -> file(parent, name, stat);
            case UNKNOWN -> problem(ArchiveProblem.UNSUPPORTED, shown, "an inode of unknown type");
            default -> other(parent, name, type);
        }
    }

    private void directory(TreeDirectory parent, byte[] name, Place place) throws IOException {
        String shown = parent.path() + "/" + new String(name, StandardCharsets.UTF_8);
        if (place.depth() >= options.maximumDepth()) {
            problem(
                    ArchiveProblem.UNSUPPORTED,
                    shown,
                    "directories are nested deeper than the limit of " + options.maximumDepth());
            return;
        }
        TreeDirectory opened;
        try {
            opened = parent.openDirectory(name);
        } catch (PosixException e) {
            leaveOut(e, shown);
            return;
        }
        try (TreeDirectory directory = opened) {
            FileStat stat = new FileStat();
            List<byte[]> names;
            try {
                directory.stat(stat);
                boolean elsewhere = stat.device() != rootDevice && options.mounts() == ArchiveOptions.Mounts.STAY;
                names = elsewhere ? List.of() : list(directory);
            } catch (PosixException e) {
                leaveOut(e, shown);
                return;
            }
            encoder.startDirectory(name, metadata(directory, stat));
            if (catalog != null) {
                catalog.startDirectory(name);
            }
            count();
            children(directory, names, new Place(place.pathOf(name), place.rules(), place.depth() + 1));
            encoder.endDirectory();
            if (catalog != null) {
                catalog.endDirectory();
            }
        }
    }

    private void file(TreeDirectory parent, byte[] name, FileStat listed) throws IOException {
        if (listed.links() > 1 && linked(new Inode(listed.device(), listed.inode()), name)) {
            return;
        }
        String shown = parent.path() + "/" + new String(name, StandardCharsets.UTF_8);
        TreeFile opened;
        try {
            opened = parent.openFile(name);
        } catch (PosixException e) {
            leaveOut(e, shown);
            return;
        }
        try (TreeFile file = opened) {
            FileStat stat = new FileStat();
            file.stat(stat);
            if (stat.type() != FileType.REGULAR) {
                problem(ArchiveProblem.VANISHED, shown, "something else took its name");
                return;
            }
            Inode inode = new Inode(stat.device(), stat.inode());
            if (stat.links() > 1 && linked(inode, name)) {
                return;
            }
            encoder.startFile(name, metadata(file, stat), stat.size());
            if (stat.links() > 1) {
                links.put(inode, new Links(encoder.linkTarget(), stat.links() - 1));
            }
            contents(file, stat.size());
            encoder.endFile();
            if (catalog != null) {
                catalog.file(name, stat.size(), stat.modifySeconds());
            }
            count();
        }
    }

    /** Writes a further name of a file that is in the archive. @return false if it is not */
    private boolean linked(Inode inode, byte[] name) throws IOException {
        Links known = links.get(inode);
        if (known == null || !known.target.fits()) {
            return false;
        }
        encoder.hardLink(name, known.target);
        if (catalog != null) {
            catalog.entry(CatalogType.HARD_LINK, name);
        }
        count();
        if (--known.left == 0) {
            links.remove(inode);
        }
        return true;
    }

    private void contents(TreeFile file, long size) throws IOException {
        long at = 0;
        while (at < size) {
            ByteBuffer into = ByteBuffer.wrap(buffer, 0, (int) Math.min(READ, size - at));
            int n = file.read(at, into);
            if (n == 0) {
                problem(
                        ArchiveProblem.CHANGED_WHILE_READ,
                        file.path(),
                        "it shrank from " + size + " to " + at + " bytes; zeros stand for the rest");
                pad(size - at);
                return;
            }
            encoder.write(buffer, 0, n);
            at += n;
            bytes += n;
            listener.progress(entries, bytes);
        }
        FileStat after = new FileStat();
        file.stat(after);
        if (after.size() > size) {
            problem(
                    ArchiveProblem.CHANGED_WHILE_READ,
                    file.path(),
                    "it grew from " + size + " to " + after.size() + " bytes; the end is left out");
        }
    }

    private void pad(long count) throws IOException {
        Arrays.fill(buffer, (byte) 0);
        for (long left = count; left > 0; ) {
            int n = (int) Math.min(READ, left);
            encoder.write(buffer, 0, n);
            left -= n;
            bytes += n;
            listener.progress(entries, bytes);
        }
    }

    /** A link, device, FIFO or socket: nothing but metadata is read, through a descriptor that has no other right. */
    private void other(TreeDirectory parent, byte[] name, FileType type) throws IOException {
        String shown = parent.path() + "/" + new String(name, StandardCharsets.UTF_8);
        FileStat stat = new FileStat();
        EntryMetadata metadata;
        byte[] target = new byte[0];
        try (TreeNode node = parent.openNode(name)) {
            node.stat(stat);
            if (stat.type() != type) {
                problem(ArchiveProblem.VANISHED, shown, "something else took its name");
                return;
            }
            if (type == FileType.SYMLINK) {
                target = node.readLink();
            }
            metadata = metadata(node, stat);
        } catch (PosixException e) {
            leaveOut(e, shown);
            return;
        }
        CatalogType listed;
        switch (type) {
            case SYMLINK -> {
                if (target.length == 0) {
                    problem(ArchiveProblem.UNSUPPORTED, shown, "a symbolic link without target");
                    return;
                }
                encoder.symlink(name, metadata, target);
                listed = CatalogType.SYMLINK;
            }
            case BLOCK_DEVICE, CHARACTER_DEVICE -> {
                encoder.device(name, metadata, DeviceNumber.major(stat.rdev()), DeviceNumber.minor(stat.rdev()));
                listed = type == FileType.BLOCK_DEVICE ? CatalogType.BLOCK_DEVICE : CatalogType.CHARACTER_DEVICE;
            }
            default -> {
                encoder.special(name, metadata);
                listed = type == FileType.FIFO ? CatalogType.FIFO : CatalogType.SOCKET;
            }
        }
        if (catalog != null) {
            catalog.entry(listed, name);
        }
        count();
    }

    /** The patterns of the command, as PBS keeps them: a file, last in the root. */
    private void noteExcludes() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (ExcludePattern pattern : options.excludes()) {
            text.writeBytes(pattern.text());
            text.write('\n');
        }
        EntryStat stat = new EntryStat(EntryStat.REGULAR | 0600, 0, 0, 0, new EntryTime(0, 0));
        encoder.startFile(EXCLUDES_OF_COMMAND, EntryMetadata.of(stat), text.size());
        encoder.write(text.toByteArray(), 0, text.size());
        encoder.endFile();
        if (catalog != null) {
            catalog.file(EXCLUDES_OF_COMMAND, text.size(), 0);
        }
        count();
    }

    private EntryMetadata metadata(TreeNode node, FileStat stat) {
        return MetadataReader.read(node, stat, what -> problem(ArchiveProblem.METADATA_INCOMPLETE, node.path(), what));
    }

    /** Reports what could not be opened; lack of descriptors or memory is not the entry's fault and ends the backup. */
    private void leaveOut(PosixException e, String path) throws PosixException {
        switch (e.errno()) {
            case EMFILE, ENFILE, ENOMEM -> throw e;
            case ENOENT, ENOTDIR, ELOOP -> problem(ArchiveProblem.VANISHED, path, e.getMessage());
            default -> problem(ArchiveProblem.UNREADABLE, path, e.getMessage());
        }
    }

    private void count() {
        entries++;
    }

    private void problem(ArchiveProblem problem, String path, String detail) {
        problems++;
        listener.problem(problem, path, detail);
    }
}
