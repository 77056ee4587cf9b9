package dev.holdfast.testkit;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.DatastoreFactory;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/**
 * A store for tests whose prefix directories are made as chunks need them, because 65536 of them take longer than most
 * tests. Everything else is as in any other store.
 */
public final class TestStore {

    /** Who makes the backups. */
    public static final String OWNER = "root@pam";

    private final Path root;
    private final DatastoreFactory factory;
    private final StoreSettings settings;

    private TestStore(Path root, Path locks, PosixFiles files) {
        this.root = root;
        this.factory = new DatastoreFactory(new StoreEnvironment(files, Clock.systemUTC(), locks));
        this.settings = new StoreSettings("store", root, DatastoreTuning.DEFAULTS);
    }

    /**
     * A new store.
     *
     * @param base an empty directory; store and lock files lie below it
     */
    public static TestStore in(Path base) throws IOException {
        Path root = Files.createDirectories(base.resolve("store"));
        Files.createDirectories(root.resolve(".chunks"));
        return at(root, base.resolve("locks"));
    }

    /** A store that exists; lock files lie in {@code locks}. */
    public static TestStore at(Path root, Path locks) {
        return at(root, locks, JnrPosixFiles.load());
    }

    /** A store that exists, through another door, for example one that injects faults. */
    public static TestStore at(Path root, Path locks, PosixFiles files) {
        return new TestStore(root, locks, files);
    }

    public Path root() {
        return root;
    }

    public DatastoreFactory factory() {
        return factory;
    }

    public StoreSettings settings() {
        return settings;
    }

    public FilesystemDatastore open(AccessMode mode) throws DatastoreException {
        return factory.open(settings, mode);
    }

    public FilesystemDatastore open() throws DatastoreException {
        return open(AccessMode.READ_WRITE);
    }

    /** A plain chunk with its digest. */
    public record Chunk(byte[] data, ChunkDigest digest, DataBlob blob) {}

    /** Encodes a chunk and makes its prefix directory. */
    public Chunk chunk(byte[] data) throws IOException {
        BlobEncoder encoder = new BlobEncoder(true, null);
        ChunkDigest digest = encoder.digest(data, 0, data.length);
        Files.createDirectories(
                root.resolve(".chunks").resolve(digest.toString().substring(0, 4)));
        return new Chunk(data, digest, encoder.encode(data, 0, data.length));
    }

    public Chunk chunk(String text) throws IOException {
        return chunk(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Where the file of a chunk lies. */
    public Path file(ChunkDigest digest) {
        return root.resolve(".chunks")
                .resolve(digest.toString().substring(0, 4))
                .resolve(digest.toString());
    }

    /** Makes a whole snapshot with one dynamic archive {@code data.pxar.didx} of the given chunks. */
    public void backup(FilesystemDatastore store, SnapshotId snapshot, Chunk... chunks) throws DatastoreException {
        try (BackupSession session = store.backups().start(BackupNamespace.ROOT, snapshot, OWNER)) {
            try (BackupSession.DynamicArchive archive = session.dynamicArchive(new ArchiveName("data.pxar.didx"))) {
                for (Chunk chunk : chunks) {
                    session.insertChunk(chunk.digest(), chunk.blob());
                    archive.add(chunk.digest(), chunk.data().length);
                }
                archive.finish(CryptMode.NONE);
            }
            session.finish(null);
        }
    }
}
