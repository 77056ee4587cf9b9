package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.DatastoreFactory;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.restore.ArchiveReader;
import dev.holdfast.datastore.restore.ContentKey;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.snapshot.StoreFiles;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.MiniDatastore;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatastoreFactoryTest {

    private static final BackupNamespace ROOT = BackupNamespace.ROOT;

    @TempDir
    Path base;

    private DatastoreFactory factory(PosixFiles files) {
        return new DatastoreFactory(new StoreEnvironment(files, Clock.systemUTC(), base.resolve("locks")));
    }

    private DatastoreFactory factory() {
        return factory(JnrPosixFiles.load());
    }

    private static StoreSettings settings(Path root) {
        return new StoreSettings("store", root, DatastoreTuning.DEFAULTS);
    }

    @Test
    void newStore_hasTheLayoutAndGoesAgain() throws IOException {
        Path memory = Path.of("/dev/shm");
        // 65536 directories take seconds on a disk; where memory can hold them, it does.
        Path parent = Files.isWritable(memory) ? Files.createTempDirectory(memory, "holdfast") : base;
        Path root = parent.resolve("missing/parents/store");
        Files.createDirectories(root.resolve("lost+found"));
        Files.createDirectories(root.resolve(".hidden"));
        factory().create(settings(root));

        assertThat(mode(root)).isEqualTo("rwxr-xr-x");
        assertThat(mode(root.resolve(".chunks"))).isEqualTo("rwxr-x---");
        assertThat(mode(root.resolve(".lock"))).isEqualTo("rw-r--r--");
        assertThat(factory().adopt(settings(root))).isEmpty();
        try (Stream<Path> prefixes = Files.list(root.resolve(".chunks"))) {
            assertThat(prefixes).hasSize(65536);
        }
        assertThatThrownBy(() -> factory().create(settings(root)))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("datastore add");

        TestStore fixture = TestStore.at(root, base.resolve("locks"));
        try (FilesystemDatastore store = fixture.open()) {
            fixture.backup(store, SnapshotId.parse("vm/1/2026-01-01T00:00:00Z"), fixture.chunk("x"));
            try (BackupSession running =
                    store.backups().start(ROOT, SnapshotId.parse("vm/1/2026-01-02T00:00:00Z"), TestStore.OWNER)) {
                assertThatThrownBy(() -> factory().destroy(settings(root))).isInstanceOf(LockTimeoutException.class);
                assertThat(running.previous()).isPresent();
            }
            if (JnrPosixFiles.load().effectiveUid() == 0) {
                Object owner = Files.getAttribute(root, "unix:uid");
                for (String path : List.of(".lock", ".chunks", "vm", "vm/1", "vm/1/owner")) {
                    assertThat(Files.getAttribute(root.resolve(path), "unix:uid"))
                            .as(path)
                            .isEqualTo(owner);
                }
            }
        }
        assertThat(factory().destroy(settings(root))).singleElement().asString().contains("other files");
        try (Stream<Path> left = Files.list(root)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsOnly("lost+found", ".hidden");
        }
        new StoreFiles(JnrPosixFiles.load(), FileOwner.UNCHANGED).removeTree(parent);
    }

    @Test
    void directoryWithOtherFiles_isRefused() throws IOException {
        Files.createDirectories(base.resolve("store/photos"));

        assertThatThrownBy(() -> factory().create(settings(base.resolve("store"))))
                .isInstanceOf(SafetyException.class)
                .hasMessageContaining("photos");
        assertThat(base.resolve("store/.chunks")).doesNotExist();
    }

    @Test
    void rootOfTheSystemAndRelativePaths_areRefused() {
        assertThatThrownBy(() -> factory().create(settings(Path.of("/")))).isInstanceOf(SafetyException.class);
        assertThatThrownBy(() -> factory().create(settings(Path.of("relative"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void creationThatFails_saysWhatItLeft() throws IOException {
        FaultPlan plan = new FaultPlan().fail(PosixOperation.MAKE_DIRECTORY, 1, "/00ff$", Errno.ENOSPC);

        assertThatThrownBy(() -> factory(new FaultyPosixFiles(JnrPosixFiles.load(), plan))
                        .create(settings(base.resolve("store"))))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("no space left")
                .hasMessageContaining("left behind")
                .hasMessageContaining(base.resolve("store/.chunks").toString());
        plan.assertAllHit();
        assertThat(mode(base.resolve("store"))).isEqualTo("rwxr-xr-x");
    }

    @Test
    void adoption_reportsDeviationsAndChangesNothing() throws IOException {
        Path root = MiniDatastore.unpack(base);
        Files.setPosixFilePermissions(root.resolve(".chunks/14c9"), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.delete(root.resolve(".lock"));
        Map<String, FileTime> before = times(root);

        List<String> warnings = factory().adopt(settings(root));

        assertThat(times(root)).isEqualTo(before);
        assertThat(warnings).anySatisfy(line -> assertThat(line).contains(".lock is missing"));
        assertThat(warnings)
                .anySatisfy(line -> assertThat(line).contains("0000 is missing").contains("others"));
        assertThat(warnings)
                .anySatisfy(line ->
                        assertThat(line).contains("14c9 has another mode").doesNotContain("others"));
    }

    @Test
    void stickyAndSetgidBits_areNoDeviation() throws IOException {
        Path root = MiniDatastore.unpack(base);
        List<String> before = factory().adopt(settings(root));
        JnrPosixFiles.load().changeMode(root.resolve(".chunks"), 07750);

        assertThat(Files.getAttribute(root.resolve(".chunks"), "unix:mode")).isEqualTo(0047750);
        assertThat(factory().adopt(settings(root))).isEqualTo(before);
    }

    @Test
    void directoryThatIsNoStore_isNeitherAdoptedNorOpened() throws IOException {
        Path root = Files.createDirectories(base.resolve("store"));
        for (AccessMode mode : AccessMode.values()) {
            assertThatThrownBy(() -> factory().open(settings(root), mode))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining("is no datastore");
        }
        assertThatThrownBy(() -> factory().adopt(settings(root)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("is no datastore");
        Files.writeString(root.resolve(".chunks"), "");
        assertThatThrownBy(() -> factory().adopt(settings(root)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("is no datastore");
        assertThatThrownBy(() -> factory().open(settings(base.resolve("nothing")), AccessMode.READ_ONLY))
                .isInstanceOf(SnapshotMissingException.class)
                .hasMessageContaining("mounted");
        assertThat(root.resolve(".lock")).doesNotExist();
    }

    @Test
    void storeOpenedForReading_createsAndChangesNothing() throws IOException {
        Path root = MiniDatastore.unpack(base);
        Files.delete(root.resolve(".lock"));
        Map<String, FileTime> before = times(root);
        try (FilesystemDatastore store = factory().open(settings(root), AccessMode.READ_ONLY)) {
            readOnlyWorks(store);
            assertThat(store.processLock()).isEmpty();
            SnapshotId id = SnapshotId.parse("host/mini/2024-01-02T03:04:05Z");
            for (org.assertj.core.api.ThrowableAssert.ThrowingCallable change :
                    List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                            () -> store.backups().start(ROOT, id, TestStore.OWNER),
                            () -> store.snapshots().snapshot(ROOT, id).forget(),
                            () -> store.snapshots().snapshot(ROOT, id).setProtected(true),
                            () -> store.snapshots().snapshot(ROOT, id).updateManifest(manifest -> manifest),
                            () -> store.snapshots().group(ROOT, id.group()).forget(),
                            () -> store.snapshots().group(ROOT, id.group()).setNotes("x"),
                            () -> store.snapshots().group(ROOT, id.group()).setOwner("a@pam"),
                            () -> store.snapshots().createNamespace(BackupNamespace.parse("x")),
                            () -> store.snapshots().deleteNamespace(BackupNamespace.parse("dev")))) {
                assertThatThrownBy(change)
                        .isInstanceOf(DatastoreException.class)
                        .hasMessageContaining("reading only");
            }
        }
        assertThat(times(root)).isEqualTo(before);
    }

    @Test
    void readOnlyMount_isRead() throws IOException, InterruptedException {
        assumeThat(JnrPosixFiles.load().effectiveUid())
                .as("bind mounts need root")
                .isZero();
        Path root = MiniDatastore.unpack(base);
        Files.delete(root.resolve(".lock"));
        Path mounted = Files.createDirectories(base.resolve("mounted"));
        assumeThat(run("mount", "--bind", root.toString(), mounted.toString()))
                .as("mount --bind works here")
                .isZero();
        try {
            assumeThat(run("mount", "-o", "remount,bind,ro", mounted.toString()))
                    .isZero();
            try (FilesystemDatastore store = factory().open(settings(mounted), AccessMode.READ_ONLY)) {
                readOnlyWorks(store);
            }
            assertThatThrownBy(() -> factory().open(settings(mounted), AccessMode.READ_WRITE))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("EROFS");
            assertThatThrownBy(() -> factory().create(settings(mounted.resolve("new"))))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("EROFS");
        } finally {
            assertThat(run("umount", mounted.toString())).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void storeOrChunksBehindALink_isUsedAndDestroyed(boolean linkChunks) throws IOException {
        Path real = Files.createDirectories(base.resolve("elsewhere"));
        Path root = base.resolve("store");
        if (linkChunks) {
            Files.createDirectories(root);
            Files.createSymbolicLink(root.resolve(".chunks"), real);
        } else {
            Files.createDirectories(real.resolve(".chunks"));
            Files.createSymbolicLink(root, real);
        }
        TestStore fixture = TestStore.at(root, base.resolve("locks"));
        SnapshotId id = SnapshotId.parse("vm/1/2026-01-01T00:00:00Z");
        try (FilesystemDatastore store = fixture.open()) {
            fixture.backup(store, id, fixture.chunk("linked"));
            assertThat(store.snapshots().namespaces(ROOT, 7)).containsExactly(ROOT);
            assertThat(store.snapshots().groups(ROOT)).containsExactly(BackupGroup.parse("vm/1"));
            try (SnapshotReader reader = store.snapshots().snapshot(ROOT, id).open(null);
                    IndexReader index = reader.index(new ArchiveName("data.pxar.didx"))) {
                assertThat(new ArchiveReader(store.chunks(), index, ContentKey.PLAIN).chunk(0))
                        .asString()
                        .isEqualTo("linked");
            }
        }
        assertThat(factory().destroy(settings(root))).hasSize(1);
        try (Stream<Path> left = Files.list(real)) {
            assertThat(left).isEmpty();
        }
    }

    private static void readOnlyWorks(FilesystemDatastore store) throws IOException {
        SnapshotId id = SnapshotId.parse("host/mini/2024-01-02T03:04:05Z");
        assertThat(store.snapshots().namespaces(ROOT, 7)).hasSize(3);
        assertThat(store.snapshots().snapshots(ROOT, id.group())).hasSize(3);
        assertThat(store.gcStatus()).isEmpty();
        try (SnapshotReader reader = store.snapshots().snapshot(ROOT, id).open(null);
                IndexReader index = reader.index(new ArchiveName("disk.img.fidx"))) {
            assertThat(new ArchiveReader(store.chunks(), index, ContentKey.PLAIN).chunk(0))
                    .isNotEmpty();
        }
    }

    /** Modification times of everything in a store, and access times of its files. */
    private static Map<String, FileTime> times(Path root) throws IOException {
        Map<String, FileTime> times = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                times.put(root.relativize(path) + " modified", Files.getLastModifiedTime(path));
                if (Files.isRegularFile(path)) {
                    times.put(
                            root.relativize(path) + " accessed", (FileTime) Files.getAttribute(path, "lastAccessTime"));
                }
            }
        }
        return times;
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
