package dev.holdfast.engine.job;

import dev.holdfast.archive.catalog.CatalogEntry;
import dev.holdfast.archive.catalog.CatalogReader;
import dev.holdfast.archive.catalog.CatalogType;
import dev.holdfast.archive.pxar.EntryBody;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.EntryStat;
import dev.holdfast.archive.pxar.PxarDecoder;
import dev.holdfast.archive.pxar.PxarDirectory;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.datastore.task.TaskContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gathers the entries of archives and catalogues, up to a limit: a hostile one can have more than fit anywhere. */
final class TreeListing {

    private final int limit;
    private final TaskContext task;
    private final List<TreeItem> items = new ArrayList<>();
    private boolean cut;

    TreeListing(int limit, TaskContext task) {
        this.limit = limit;
        this.task = task;
    }

    List<TreeItem> items() {
        return List.copyOf(items);
    }

    /** Whether there was more than the limit. */
    boolean isCut() {
        return cut;
    }

    private boolean add(TreeItem item) throws IOException {
        task.checkAbort();
        if (items.size() >= limit) {
            cut = true;
            return false;
        }
        items.add(item);
        return true;
    }

    /** An entry that is no directory, or the direct children of one. */
    void children(PxarReader reader, PxarEntry entry, String path) throws IOException {
        if (entry.kind() != EntryKind.DIRECTORY) {
            var unused = add(item(path, entry));
            return;
        }
        PxarDirectory directory = reader.directory(entry);
        List<PxarEntry> found = new ArrayList<>();
        // The table is in the order of a search tree; the archive has the children in the order of their names.
        for (long i = 0; i < directory.count(); i++) {
            if (found.size() >= limit) {
                cut = true;
                break;
            }
            task.checkAbort();
            found.add(directory.child(i));
        }
        found.sort((a, b) -> Long.compare(a.place().filename(), b.place().filename()));
        for (PxarEntry child : found) {
            if (!add(item(joined(path, child.text()), child))) {
                return;
            }
        }
    }

    /** An entry and all below it, in the order of the archive, without the root itself. */
    void all(PxarReader reader, PxarEntry top, String path) throws IOException {
        PxarDecoder decoder = reader.stream(top);
        Deque<String> open = new ArrayDeque<>();
        while (true) {
            switch (decoder.next()) {
                case ENTRY -> {
                    PxarEntry entry = decoder.entry();
                    String parent = open.peek();
                    String here = parent == null ? path : joined(parent, entry.text());
                    if (entry.kind() == EntryKind.DIRECTORY) {
                        open.push(here);
                    }
                    if (!here.isEmpty() && !add(item(here, entry))) {
                        return;
                    }
                }
                case DIRECTORY_END -> open.pop();
                case END -> {
                    return;
                }
            }
        }
    }

    /** What a catalogue says of one archive, parents before children. */
    void all(CatalogReader catalog, CatalogEntry archive, String prefix) throws IOException {
        record Open(CatalogReader.Block block, String path) {}
        Deque<Open> open = new ArrayDeque<>();
        open.push(new Open(catalog.directory(archive), prefix));
        while (!open.isEmpty()) {
            Open here = open.getFirst();
            CatalogEntry entry = here.block().next();
            if (entry == null) {
                open.pop();
                continue;
            }
            String path = joined(here.path(), entry.text());
            boolean isFile = entry.type() == CatalogType.FILE;
            TreeItem item = new TreeItem(
                    path,
                    word(entry.type()),
                    isFile ? entry.size() : null,
                    isFile ? entry.mtime() : null,
                    null,
                    null,
                    null,
                    null);
            if (!add(item)) {
                return;
            }
            if (entry.type() == CatalogType.DIRECTORY) {
                open.push(new Open(catalog.directory(entry), path));
            }
        }
    }

    private static TreeItem item(String path, PxarEntry entry) {
        EntryStat stat =
                entry.metadataOrNull() == null ? null : entry.metadata().stat();
        return new TreeItem(
                path,
                word(entry.kind()),
                entry.body() instanceof EntryBody.File file ? file.size() : null,
                stat == null ? null : stat.mtime().seconds(),
                stat == null ? null : String.format(Locale.ROOT, "%04o", stat.permissions()),
                stat == null ? null : stat.uid(),
                stat == null ? null : stat.gid(),
                target(entry.body()));
    }

    private static @Nullable String target(EntryBody body) {
        if (body instanceof EntryBody.Symlink link) {
            return new String(link.target(), StandardCharsets.UTF_8);
        }
        return body instanceof EntryBody.HardLink link ? new String(link.path(), StandardCharsets.UTF_8) : null;
    }

    private static String word(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String joined(String parent, String name) {
        return parent.isEmpty() ? name : parent + "/" + name;
    }
}
