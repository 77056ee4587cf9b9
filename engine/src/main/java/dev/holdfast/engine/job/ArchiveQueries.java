package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.archive.SourceInputStream;
import dev.holdfast.archive.catalog.CatalogEntry;
import dev.holdfast.archive.catalog.CatalogReader;
import dev.holdfast.archive.catalog.CatalogType;
import dev.holdfast.archive.pxar.EntryBody;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks into the directory archives of a snapshot without restoring them. Works on a read-only mount. */
public final class ArchiveQueries {

    /** Entries that a listing holds at most. */
    public static final int LIMIT = 1_000_000;

    private static final int COPY = 1 << 20;

    private final Engine engine;

    /**
     * Which archive.
     *
     * @param key the key, if content is encrypted or a signature is to be checked
     */
    public record Request(
            String store, BackupNamespace namespace, SnapshotId snapshot, ArchiveName archive, KeySource key) {

        OpenArchive.Place place() {
            return new OpenArchive.Place(namespace, snapshot, archive);
        }
    }

    /** How far down a listing goes. */
    public enum Depth {
        CHILDREN,
        ALL
    }

    public ArchiveQueries(Engine engine) {
        this.engine = engine;
    }

    /**
     * Lists a directory of an archive, or one other entry.
     *
     * @param path from the root of the archive; empty for the root
     * @throws NotInArchiveException if there is no such entry
     */
    public Listing<TreeItem> list(Request request, String path, Depth depth) throws DatastoreException {
        RestoreDirJob.requireDirectories(request.archive());
        CryptConfig key = request.key().load(engine).key();
        TaskContext task = TaskContext.silent();
        TreeListing listing = new TreeListing(LIMIT, task);
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_ONLY);
                OpenArchive archive = OpenArchive.open(open, request.place(), key, task)) {
            PxarReader reader = archive.reader();
            PxarEntry entry = entry(reader, request.archive(), path);
            String shown = plain(path);
            if (depth == Depth.ALL) {
                listing.all(reader, entry, shown);
            } else {
                listing.children(reader, entry, shown);
            }
        } catch (IOException e) {
            throw ArchiveFailure.of(e, request.archive().text());
        }
        return listed(listing);
    }

    /**
     * Writes the contents of a regular file, or of the one that a hard link names. Runs as a task. A failure leaves the
     * output short, which the caller must tell.
     *
     * @return bytes written
     */
    public long cat(Request request, String path, OutputStream out, TaskListener listener) throws DatastoreException {
        RestoreDirJob.requireDirectories(request.archive());
        CryptConfig key = request.key().load(engine).key();
        String id = String.format(
                Locale.ROOT,
                "%s:%s/%08X",
                request.store(),
                request.snapshot().group(),
                request.snapshot().time());
        try (OpenDatastore open = engine.datastores().open(request.store(), AccessMode.READ_ONLY)) {
            return engine.tasks()
                    .run("reader", id, listener, task -> {
                        try (OpenArchive archive = OpenArchive.open(open, request.place(), key, task)) {
                            return copy(archive.reader(), request.archive(), path, new To(out, task));
                        } catch (IOException e) {
                            throw ArchiveFailure.of(e, request.archive().text());
                        }
                    })
                    .value();
        }
    }

    private record To(OutputStream out, TaskContext task) {}

    private static long copy(PxarReader reader, ArchiveName archive, String path, To to) throws IOException {
        PxarEntry entry = entry(reader, archive, path);
        PxarEntry file = entry.kind() == EntryKind.HARD_LINK ? reader.target(entry) : entry;
        if (!(file.body() instanceof EntryBody.File body)) {
            throw new DatastoreException(path + " of " + archive + " is no regular file, and has no contents");
        }
        SourceInputStream in = new SourceInputStream(reader.content(file), 0, body.size());
        byte[] buffer = new byte[(int) Math.min(COPY, Math.max(1, body.size()))];
        long done = 0;
        for (int n = in.read(buffer, 0, buffer.length); n > 0; n = in.read(buffer, 0, buffer.length)) {
            write(to.out(), buffer, n);
            done += n;
            to.task().checkAbort();
            to.task().progress("restore", done, body.size(), "bytes");
        }
        if (done < body.size()) {
            throw new DatastoreException(
                    path + " of " + archive + " ends after " + done + " of " + body.size() + " bytes");
        }
        return done;
    }

    private static void write(OutputStream out, byte[] bytes, int length) throws DatastoreException {
        try {
            out.write(bytes, 0, length);
            if (out instanceof PrintStream print && print.checkError()) {
                throw new IOException("the reader is gone, or the disk is full");
            }
        } catch (IOException e) {
            throw new DatastoreException("cannot write to standard output: " + e.getMessage(), e);
        }
    }

    /**
     * Lists all entries of all directory archives of a snapshot, each under the name of its archive: from the catalogue, or
     * from the archives themselves if there is none.
     */
    public Listing<TreeItem> tree(String store, BackupNamespace namespace, SnapshotId snapshot, KeySource source)
            throws DatastoreException {
        CryptConfig key = source.load(engine).key();
        TaskContext task = TaskContext.silent();
        TreeListing listing = new TreeListing(LIMIT, task);
        String reading = ArchiveName.CATALOG.text();
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            try (SnapshotReader reader = open.existing(namespace, snapshot).open(key)) {
                BackupManifest manifest = reader.manifest();
                if (manifest.file(ArchiveName.CATALOG).isPresent()) {
                    fromCatalog(open, reader, listing, task);
                    return listed(listing);
                }
                for (ManifestEntry file : manifest.files()) {
                    String name = file.name().text();
                    if (name.endsWith(".pxar.didx") || name.endsWith(".mpxar.didx")) {
                        reading = name;
                        OpenArchive.Place place = new OpenArchive.Place(namespace, snapshot, file.name());
                        try (OpenArchive archive = OpenArchive.open(open, place, key, task)) {
                            PxarReader pxar = archive.reader();
                            listing.all(pxar, pxar.root().entry(), client(name));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw ArchiveFailure.of(e, reading);
        }
        return listed(listing);
    }

    private static void fromCatalog(OpenDatastore open, SnapshotReader reader, TreeListing listing, TaskContext task)
            throws IOException {
        try (IndexSource source = IndexSource.open(open, reader, ArchiveName.CATALOG, task)) {
            CatalogReader catalog = CatalogReader.open(source);
            CatalogReader.Block archives = catalog.root();
            for (CatalogEntry archive = archives.next(); archive != null; archive = archives.next()) {
                if (archive.type() == CatalogType.DIRECTORY) {
                    listing.all(catalog, archive, client(archive.text()));
                }
            }
        }
    }

    /** The name without the index's extension. */
    private static String client(String archive) {
        return archive.endsWith(".didx") ? archive.substring(0, archive.length() - ".didx".length()) : archive;
    }

    private static PxarEntry entry(PxarReader reader, ArchiveName archive, String path) throws IOException {
        PxarEntry found = reader.lookup(path.getBytes(StandardCharsets.UTF_8));
        if (found == null) {
            throw NotInArchiveException.noEntry(path, archive.text());
        }
        return found;
    }

    /** A path without leading, trailing and double slashes. */
    private static String plain(String path) {
        List<String> components = new ArrayList<>(List.of(path.split("/")));
        components.removeIf(String::isEmpty);
        return String.join("/", components);
    }

    private static Listing<TreeItem> listed(TreeListing listing) {
        return new Listing<>(
                listing.items(),
                listing.isCut()
                        ? List.of("there is more; only the first " + LIMIT + " entries are listed")
                        : List.of());
    }
}
