package dev.holdfast.datastore;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcStatusFile;
import dev.holdfast.datastore.gc.GcStore;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSessions;
import dev.holdfast.datastore.snapshot.DirectoryCatalog;
import dev.holdfast.datastore.snapshot.FlockMoveJournal;
import dev.holdfast.datastore.snapshot.MoveJournal;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotContext;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * An open store on a local filesystem, made by {@link DatastoreFactory}. Beyond what every store offers, it hands out what
 * jobs on this kind of store are put together from. Locks are for those jobs only.
 */
public final class FilesystemDatastore implements Datastore {

    private final StoreSettings settings;
    private final SnapshotContext context;
    private final SnapshotCatalog catalog;
    private final BackupSessions backups;
    private final MoveJournal moveJournal;

    FilesystemDatastore(StoreSettings settings, SnapshotContext context) {
        this.settings = settings;
        this.context = context;
        this.catalog = new DirectoryCatalog(context);
        this.backups = new BackupSessions(context);
        this.moveJournal = new FlockMoveJournal(context.files(), context.locks());
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public DatastoreLayout layout() {
        return context.layout();
    }

    @Override
    public ChunkStore chunks() {
        return context.chunks();
    }

    @Override
    public SnapshotCatalog snapshots() {
        return catalog;
    }

    /** Starts backups. */
    public BackupSessions backups() {
        return backups;
    }

    public AccessMode mode() {
        return context.mode();
    }

    public DatastoreTuning tuning() {
        return settings.tuning();
    }

    /** The lock file of the store; empty if it is open for reading only. */
    public Optional<ProcessLock> processLock() {
        return Optional.ofNullable(context.processLock());
    }

    public DirectoryLocks directoryLocks() {
        return context.locks();
    }

    public MoveJournal moveJournal() {
        return moveJournal;
    }

    public PosixFiles files() {
        return context.files();
    }

    public Clock clock() {
        return context.clock();
    }

    /** Who gets the files that are made in this store. */
    public FileOwner owner() {
        return context.owner();
    }

    /**
     * Garbage collection of this store, for one run.
     *
     * @param time clocks
     * @param otherStores names and roots of all other configured stores
     */
    public GarbageCollector garbageCollector(GcStore.Time time, Map<String, Path> otherStores) {
        return new GarbageCollector(new GcStore(
                name(),
                layout(),
                tuning(),
                chunks(),
                catalog,
                context.processLock(),
                context.locks(),
                moveJournal,
                context.files(),
                time,
                this::saveGcStatus,
                otherStores));
    }

    /** The figures of the last successful garbage collection; empty if there are none, or they do not parse. */
    public Optional<GarbageCollectionStatus> gcStatus() throws DatastoreException {
        return GcStatusFile.load(context.files(), context.layout());
    }

    /** Keeps the figures of a successful garbage collection. */
    public void saveGcStatus(GarbageCollectionStatus status) throws DatastoreException {
        GcStatusFile.save(context.files(), context.layout(), context.owner(), status);
    }

    @Override
    public void close() {
        context.chunks().close();
        processLock().ifPresent(ProcessLock::close);
    }
}
