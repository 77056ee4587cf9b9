package dev.holdfast.testkit.gc;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.gc.GcStore;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.DirectoryCatalog;
import dev.holdfast.datastore.snapshot.FlockMoveJournal;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotContext;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A small store on disk, with what garbage collection needs around it. */
final class GcFixture implements AutoCloseable {

    static final PosixFiles REAL = JnrPosixFiles.load();
    static final Duration LONG_AGO = Duration.ofDays(3);
    static final String T1 = "2024-01-02T03:04:05Z";
    static final String T2 = "2024-01-03T03:04:05Z";
    static final String T3 = "2024-01-04T03:04:05Z";

    final Path root;
    final DatastoreLayout layout;
    final RecordingTask task = new RecordingTask();
    final Map<String, Path> others = new HashMap<>();
    final FileOwner owner = new FileOwner(REAL.effectiveUid(), REAL.effectiveGid());
    final @Nullable ProcessLock processLock;
    final DirectoryLocks locks;

    /** Faults that the run meets; the fixture itself does not. */
    final FaultPlan plan = new FaultPlan();

    PosixFiles files = new FaultyPosixFiles(REAL, plan);
    /** A wall clock that a test may set against the real one. */
    Duration clockOffset = Duration.ZERO;

    final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(clockOffset);
        }
    };

    Duration monotonicOffset = Duration.ZERO;
    UnaryOperator<SnapshotCatalog> wrapCatalog = catalog -> catalog;
    Function<PosixFiles, ChunkStore> makeChunks;

    @Nullable
    GarbageCollectionStatus saved;

    String tuning = "";

    /** More options, for scenarios that are run with all ways of marking. */
    String marking = "";

    /** Makes what is missing of a store. */
    GcFixture(Path root) throws IOException {
        this(root.toAbsolutePath(), AccessMode.READ_WRITE);
    }

    /** A store on a mount that may be read only. */
    static GcFixture readOnly(Path root) throws IOException {
        return new GcFixture(root.toAbsolutePath(), AccessMode.READ_ONLY);
    }

    private GcFixture(Path root, AccessMode mode) throws IOException {
        this.root = root;
        this.layout = new DatastoreLayout(root);
        if (mode == AccessMode.READ_WRITE) {
            Files.createDirectories(layout.chunks().resolve("bb9f"));
            this.processLock = ProcessLock.open(REAL, layout.lockFile(), clock);
        } else {
            this.processLock = null;
        }
        this.locks = new DirectoryLocks(REAL, root.resolveSibling(root.getFileName() + "-locks"), "store1", owner);
        this.makeChunks = StoreChunks.opener(layout, owner);
    }

    GcStore store() {
        ChunkStore chunks = makeChunks.apply(files);
        SnapshotCatalog catalog = new DirectoryCatalog(
                new SnapshotContext("store1", layout, files, owner, clock, chunks, locks, processLock, SyncLevel.NONE));
        return new GcStore(
                "store1",
                layout,
                DatastoreTuning.parse(String.join(
                        ",",
                        Stream.of(tuning, marking)
                                .filter(part -> !part.isEmpty())
                                .toList())),
                chunks,
                wrapCatalog.apply(catalog),
                processLock,
                locks,
                new FlockMoveJournal(files, locks),
                files,
                new GcStore.Time(clock, () -> System.nanoTime() + monotonicOffset.toNanos(), duration -> {
                    // The probe's two access times must differ: the kernel's clock for them ticks every few
                    // milliseconds.
                    Thread.sleep(20);
                }),
                status -> saved = status,
                others);
    }

    ProcessLock lock() {
        return Objects.requireNonNull(processLock);
    }

    GcReport run() throws DatastoreException {
        return new GarbageCollector(store()).run(task);
    }

    GcReport dryRun() throws DatastoreException {
        return new GarbageCollector(store()).dryRun(task);
    }

    void fail(PosixOperation operation, String path, Errno errno) {
        plan.fail(operation, FaultPlan.EVERY, path, errno);
    }

    /** Writes a chunk file, last touched long ago. */
    Path chunk(ChunkDigest digest) throws IOException {
        return file(ChunkName.relative(digest), 100);
    }

    /** Writes a file below the chunk directory, last touched long ago. */
    Path file(String relative, int size) throws IOException {
        Path path = layout.chunks().resolve(relative);
        Files.createDirectories(path.getParent());
        Files.write(path, new byte[size]);
        age(path, LONG_AGO);
        return path;
    }

    Path chunkPath(ChunkDigest digest) {
        return layout.chunks().resolve(ChunkName.relative(digest));
    }

    boolean has(ChunkDigest digest) {
        return Files.exists(chunkPath(digest), LinkOption.NOFOLLOW_LINKS);
    }

    /** Sets the access time back, and leaves the modification time alone. */
    static void age(Path path, Duration age) throws IOException {
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(null, FileTime.from(Instant.now().minus(age)), null);
    }

    static Instant accessTime(Path path) throws IOException {
        return Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .lastAccessTime()
                .toInstant();
    }

    /** Writes a finished snapshot with one index. */
    Path snapshot(String group, String time, String archive, ChunkDigest... digests) throws IOException {
        Path directory = root.resolve(group).resolve(time);
        Map<String, ChunkDigest[]> archives = new LinkedHashMap<>();
        archives.put(archive, digests);
        Indexes.snapshot(directory, archives);
        return directory;
    }

    Path index(String relative, ChunkDigest... digests) throws IOException {
        Path path = root.resolve(relative);
        Files.createDirectories(path.getParent());
        Files.write(path, Indexes.index(relative, digests));
        return path;
    }

    @Override
    public void close() {
        if (processLock != null) {
            processLock.close();
        }
    }
}
