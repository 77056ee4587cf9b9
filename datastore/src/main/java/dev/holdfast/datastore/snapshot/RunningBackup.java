package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.DynamicIndexWriter;
import dev.holdfast.datastore.index.FixedIndexWriter;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.posix.PosixException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one way in which a snapshot comes to be.
 *
 * <p>Used first, indexed second: an index accepts a digest only after the store has taken the chunk, or has found and
 * touched it, in this session. The process lock has been held since before the first of these, and is held until the
 * indexes have their final names; so a chunk is at every moment younger than the oldest writer, or marked through an index.
 */
final class RunningBackup implements BackupSession {

    private final SnapshotContext context;
    private final StoreFiles files;
    private final SessionHold hold;
    private final SessionChunks chunks;
    private final Set<ArchiveName> names = new HashSet<>();
    private final Set<OpenArchive> open = new LinkedHashSet<>();
    private BackupManifest manifest;
    private long blobBytes;
    private volatile boolean ended;

    RunningBackup(SnapshotContext context, SessionHold hold) {
        this.context = context;
        this.files = context.storeFiles();
        this.hold = hold;
        this.chunks = new SessionChunks(context.chunks(), hold.previous());
        this.manifest = BackupManifest.create(hold.place().id());
    }

    @Override
    public SnapshotId snapshot() {
        return hold.place().id();
    }

    @Override
    public Optional<SnapshotReader> previous() {
        return hold.previous();
    }

    @Override
    public InsertOutcome insertChunk(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        requireRunning();
        return chunks.insert(digest, blob);
    }

    @Override
    public boolean reuseChunk(ChunkDigest digest) throws DatastoreException {
        requireRunning();
        return chunks.reuse(digest);
    }

    @Override
    public FixedArchive fixedArchive(ArchiveName name, long size, long chunkSize) throws DatastoreException {
        begin(name, ArchiveName.Kind.FIXED_INDEX);
        return opened(new OpenFixedArchive(name, size, chunkSize));
    }

    @Override
    public DynamicArchive dynamicArchive(ArchiveName name) throws DatastoreException {
        begin(name, ArchiveName.Kind.DYNAMIC_INDEX);
        return opened(new OpenDynamicArchive(name));
    }

    @Override
    public void addBlob(ArchiveName name, DataBlob blob, CryptMode mode) throws DatastoreException {
        if (name.equals(ArchiveName.MANIFEST)) {
            throw new IllegalArgumentException("the manifest is written when the backup finishes, not as a blob");
        }
        begin(name, ArchiveName.Kind.BLOB);
        files.replace(path(name), blob.encoded(), context.manifestDurability());
        blobBytes += blob.size();
        if (!name.equals(ArchiveName.CLIENT_LOG)) {
            manifest =
                    manifest.withFile(new ManifestEntry(name, mode, blob.size(), OpenSnapshot.sha256(blob.encoded())));
        }
    }

    @Override
    public void setNotes(String notes) {
        requireRunning();
        manifest = manifest.withUnprotected("notes", notes.isEmpty() ? null : notes);
    }

    @Override
    @SuppressWarnings("try") // the guard is only held
    public void finish(@Nullable CryptConfig crypt) throws DatastoreException {
        requireRunning();
        if (!open.isEmpty()) {
            throw new DatastoreException("backup " + snapshot() + " cannot finish: archive "
                    + open.iterator().next().name() + " is still being written");
        }
        manifest = manifest.withUnprotected("chunk_upload_stats", chunks.statistics(blobBytes));
        BackupManifest complete = crypt == null ? manifest : manifest.signed(crypt);
        // Whoever sees a manifest may rely on what it lists: the data goes to disk first.
        syncFilesystem();
        try (var guard = context.locks().lockManifest(hold.place().namespace(), snapshot())) {
            files.replace(hold.place().manifestPath(), complete.toBlob().encoded(), context.manifestDurability());
        }
        syncNames();
        syncFilesystem();
        ended = true;
        hold.release();
    }

    private void syncFilesystem() throws DatastoreException {
        if (context.syncLevel() == SyncLevel.FILESYSTEM) {
            Path root = context.layout().root();
            try {
                context.files().syncFilesystem(root);
            } catch (PosixException e) {
                throw StoreFiles.failure("sync the filesystem of", root, e);
            }
        }
    }

    /** At level file, the names on the way to the manifest are as durable as the manifest itself. */
    private void syncNames() throws DatastoreException {
        if (context.syncLevel() == SyncLevel.FILE) {
            files.syncDirectory(hold.group().path());
            files.syncDirectory(hold.group().path().getParent());
            files.syncDirectory(context.layout().namespace(hold.place().namespace()));
        }
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        for (OpenArchive archive : List.copyOf(open)) {
            archive.close();
        }
        hold.abandon();
    }

    private void begin(ArchiveName name, ArchiveName.Kind kind) throws DatastoreException {
        requireRunning();
        if (name.kind() != kind) {
            throw new IllegalArgumentException("archive " + name + " is not a " + kind);
        }
        if (!names.add(name)) {
            throw new AlreadyExistsException(
                    name.text(), "backup " + snapshot() + " has an archive " + name + " already");
        }
    }

    private <A extends OpenArchive> A opened(A archive) {
        open.add(archive);
        return archive;
    }

    private Path path(ArchiveName name) {
        return hold.place().path().resolve(name.text());
    }

    private FixedIndexWriter.Header header() {
        UUID uuid = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return new FixedIndexWriter.Header(bytes, context.clock().instant().getEpochSecond());
    }

    private void requireRunning() {
        if (ended) {
            throw new IllegalStateException("backup " + snapshot() + " has ended");
        }
    }

    private abstract class OpenArchive {

        private final ArchiveName name;

        OpenArchive(ArchiveName name) {
            this.name = name;
        }

        ArchiveName name() {
            return name;
        }

        void finished(CryptMode mode, long size, ChunkDigest checksum) {
            manifest = manifest.withFile(new ManifestEntry(name, mode, size, checksum));
            open.remove(this);
        }

        abstract void discard();

        public void close() {
            if (open.remove(this)) {
                discard();
                names.remove(name);
            }
        }
    }

    private final class OpenFixedArchive extends OpenArchive implements FixedArchive {

        private final FixedIndexWriter writer;
        private final long size;
        private final long chunkSize;

        OpenFixedArchive(ArchiveName name, long size, long chunkSize) throws DatastoreException {
            super(name);
            this.size = size;
            this.chunkSize = chunkSize;
            this.writer =
                    FixedIndexWriter.create(context.files(), path(name), size, chunkSize, header(), context.owner());
        }

        @Override
        public void set(long record, ChunkDigest digest) throws DatastoreException {
            requireRunning();
            chunks.requireKnown(digest, Math.min(chunkSize, size - record * chunkSize));
            writer.set(record, digest);
        }

        @Override
        public void finish(CryptMode mode) throws DatastoreException {
            requireRunning();
            finished(mode, size, writer.finish());
        }

        @Override
        void discard() {
            writer.close();
        }
    }

    private final class OpenDynamicArchive extends OpenArchive implements DynamicArchive {

        private final DynamicIndexWriter writer;

        OpenDynamicArchive(ArchiveName name) throws DatastoreException {
            super(name);
            this.writer = DynamicIndexWriter.create(context.files(), path(name), header(), context.owner());
        }

        @Override
        public void add(ChunkDigest digest, long length) throws DatastoreException {
            requireRunning();
            chunks.requireKnown(digest, length);
            writer.add(digest, length);
        }

        @Override
        public void finish(CryptMode mode) throws DatastoreException {
            requireRunning();
            long size = writer.size();
            finished(mode, size, writer.finish());
        }

        @Override
        void discard() {
            writer.close();
        }
    }
}
