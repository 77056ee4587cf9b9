package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.GroupDirectory;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.testkit.MiniDatastore;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryCatalogTest {

    private static final BackupGroup GROUP = BackupGroup.parse("host/mini");

    @TempDir
    Path base;

    private Path root;
    private FilesystemDatastore store;
    private SnapshotCatalog catalog;

    @BeforeEach
    void unpack() throws IOException {
        root = MiniDatastore.unpack(base);
        store = TestStore.at(root, base.resolve("locks")).open();
        catalog = store.snapshots();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void storeOfAnotherMaker_isListedAsItWasMade() throws IOException {
        BackupNamespace sub = BackupNamespace.parse("dev/sub");

        assertThat(catalog.namespaces(BackupNamespace.ROOT, 7))
                .containsExactly(BackupNamespace.ROOT, BackupNamespace.parse("dev"), sub);
        assertThat(catalog.namespaces(BackupNamespace.ROOT, 0)).containsExactly(BackupNamespace.ROOT);
        assertThat(catalog.groups(BackupNamespace.ROOT)).containsExactly(GROUP);
        assertThat(catalog.groups(BackupNamespace.parse("dev"))).isEmpty();
        assertThat(catalog.groups(sub)).containsExactly(BackupGroup.parse("vm/100"));
        assertThat(catalog.snapshots(BackupNamespace.ROOT, GROUP))
                .extracting(SnapshotId::timeText)
                .containsExactly("2024-01-04T03:04:05Z", "2024-01-03T03:04:05Z", "2024-01-02T03:04:05Z");

        SnapshotDirectory plain = snapshot("2024-01-02T03:04:05Z");
        assertThat(plain.isFinished()).isTrue();
        assertThat(plain.isProtected()).isFalse();
        assertThat(plain.fileNames())
                .containsExactly(
                        "client.log.blob", "disk.img.fidx", "guest.conf.blob", "index.json.blob", "stream.ppxar.didx");
        assertThat(snapshot("2024-01-03T03:04:05Z").isProtected()).isTrue();
        SnapshotDirectory unfinished = snapshot("2024-01-04T03:04:05Z");
        assertThat(unfinished.isFinished()).isFalse();
        assertThat(unfinished.fileNames()).containsExactly("disk.img.fidx", "guest.conf.blob", "stream.ppxar.didx");
        assertThatThrownBy(unfinished::manifest)
                .isInstanceOf(SnapshotMissingException.class)
                .hasMessageContaining("unfinished");

        GroupDirectory group = catalog.group(BackupNamespace.ROOT, GROUP);
        assertThat(group.owner()).isEqualTo("root@pam");
        assertThat(group.notes()).startsWith(Files.readString(root.resolve("host/mini/notes")));
        assertThat(group.lastFinished().orElseThrow().id().timeText()).isEqualTo("2024-01-03T03:04:05Z");
        assertThat(catalog.group(sub, BackupGroup.parse("vm/100")).owner())
                .isEqualTo(Files.readString(root.resolve("ns/dev/ns/sub/vm/100/owner"))
                        .strip());
    }

    @Test
    void strangeNamesFilesAndLinks_areNotListed() throws IOException {
        Files.createDirectories(root.resolve("vm"));
        Files.createDirectories(root.resolve("VM/1"));
        Files.createDirectories(root.resolve("host/-x"));
        Files.createDirectories(root.resolve("lost+found"));
        Files.writeString(root.resolve("host/file"), "");
        Files.createSymbolicLink(root.resolve("host/linked"), root.resolve("host/mini"));
        Files.createSymbolicLink(root.resolve("ct"), root.resolve("host"));
        Files.createSymbolicLink(root.resolve("ns/linked"), root.resolve("ns/dev"));
        Files.writeString(root.resolve("ns/not a namespace but a file"), "");
        Path group = root.resolve("host/mini");
        Files.createSymbolicLink(group.resolve("2024-01-01T03:04:05Z"), group.resolve("2024-01-02T03:04:05Z"));
        Path snapshot = group.resolve("2024-01-02T03:04:05Z");
        Files.createSymbolicLink(snapshot.resolve("linked.img.fidx"), snapshot.resolve("disk.img.fidx"));
        Files.createDirectories(snapshot.resolve("directory.img.fidx"));
        Files.writeString(snapshot.resolve("disk.tmp_fidx"), "");
        Files.writeString(snapshot.resolve("index.json.blob.tmp_abcdef"), "");

        assertThat(catalog.groups(BackupNamespace.ROOT)).containsExactly(GROUP);
        assertThat(catalog.namespaces(BackupNamespace.ROOT, 7)).hasSize(3);
        assertThat(catalog.snapshots(BackupNamespace.ROOT, GROUP)).hasSize(3);
        assertThat(snapshot("2024-01-02T03:04:05Z").fileNames()).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2024-02-30T00:00:00Z",
                "2024-01-01T00:00:00+01:00",
                "2024-01-01T00:00:60Z",
                "10000-01-01T00:00:00Z",
                "2024-1-1T00:00:00Z"
            })
    void nameThatIsNoTime_isNotListed(String name) throws IOException {
        Files.createDirectories(root.resolve("host/mini").resolve(name));

        assertThat(catalog.snapshots(BackupNamespace.ROOT, GROUP)).hasSize(3);
    }

    @Test
    void firstAndLastPossibleTime_areListed() throws IOException {
        Files.createDirectories(root.resolve("host/mini/1970-01-01T00:00:01Z"));
        Files.createDirectories(root.resolve("host/mini/9999-12-31T23:59:59Z"));

        List<SnapshotId> snapshots = catalog.snapshots(BackupNamespace.ROOT, GROUP);

        assertThat(snapshots).hasSize(5);
        assertThat(snapshots.get(0).time()).isEqualTo(SnapshotId.MAX_TIME);
        assertThat(snapshots.get(4).time()).isEqualTo(SnapshotId.MIN_TIME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "-dash", ".hidden", "ü"})
    void directoryThatIsNoNamespace_failsTheListing(String name) throws IOException {
        Files.createDirectories(root.resolve("ns").resolve(name));

        assertThatThrownBy(() -> catalog.namespaces(BackupNamespace.ROOT, 7))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(root.resolve("ns").toString());
    }

    @Test
    void unreadableDirectory_failsTheListing() throws IOException {
        FaultPlan plan = new FaultPlan();
        plan.fail(PosixOperation.OPEN_DIRECTORY, FaultPlan.EVERY, "/host$", Errno.EACCES);
        plan.fail(PosixOperation.LIST, FaultPlan.EVERY, "/host/mini$", Errno.EIO);
        plan.fail(PosixOperation.STAT, FaultPlan.EVERY, "index.json.blob$", Errno.EIO);
        TestStore fixture = TestStore.at(root, base.resolve("locks"), new FaultyPosixFiles(JnrPosixFiles.load(), plan));
        try (FilesystemDatastore faulty = fixture.open(AccessMode.READ_ONLY)) {
            SnapshotCatalog listed = faulty.snapshots();

            assertThatThrownBy(() -> listed.groups(BackupNamespace.ROOT))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("permission denied");
            assertThatThrownBy(() -> listed.snapshots(BackupNamespace.ROOT, GROUP))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("input/output error");
            assertThatThrownBy(() -> listed.snapshot(
                                    BackupNamespace.ROOT, SnapshotId.parse("host/mini/2024-01-02T03:04:05Z"))
                            .isFinished())
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("input/output error");
        }
        plan.assertAllHit();
    }

    @Test
    void missingThings_areNamed() {
        assertThatThrownBy(() -> catalog.groups(BackupNamespace.parse("nowhere")))
                .isInstanceOf(SnapshotMissingException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> catalog.snapshots(BackupNamespace.ROOT, BackupGroup.parse("vm/404")))
                .isInstanceOf(SnapshotMissingException.class)
                .hasMessageContaining("vm/404");
        assertThatThrownBy(() -> snapshot("2000-01-01T00:00:00Z").fileNames())
                .isInstanceOf(SnapshotMissingException.class)
                .hasMessageContaining("2000-01-01T00:00:00Z");
    }

    @Test
    void namespace_isMadeAndDeleted() throws IOException {
        BackupNamespace a = BackupNamespace.parse("a");
        BackupNamespace ab = BackupNamespace.parse("a/b");

        assertThatThrownBy(() -> catalog.createNamespace(ab)).isInstanceOf(SnapshotMissingException.class);
        catalog.createNamespace(a);
        catalog.createNamespace(ab);
        assertThatThrownBy(() -> catalog.createNamespace(ab)).isInstanceOf(AlreadyExistsException.class);
        assertThat(catalog.namespaces(a, 7)).containsExactly(a, ab);

        assertThatThrownBy(() -> catalog.deleteNamespace(a))
                .isInstanceOf(SafetyException.class)
                .hasMessageContaining("a/b");
        Files.createDirectories(root.resolve("ns/a/ns/b/vm"));
        catalog.deleteNamespace(ab);
        catalog.deleteNamespace(a);
        assertThat(root.resolve("ns/a")).doesNotExist();
        assertThatThrownBy(() -> catalog.deleteNamespace(a)).isInstanceOf(SnapshotMissingException.class);
        assertThatThrownBy(() -> catalog.deleteNamespace(BackupNamespace.ROOT)).isInstanceOf(SafetyException.class);
    }

    @Test
    void namespaceWithGroupsOrUnknownFiles_stays() throws IOException {
        assertThatThrownBy(() -> catalog.deleteNamespace(BackupNamespace.parse("dev/sub")))
                .isInstanceOf(SafetyException.class)
                .hasMessageContaining("vm/100");
        catalog.createNamespace(BackupNamespace.parse("a"));
        Files.createDirectories(root.resolve("ns/a/vm/-odd"));
        assertThatThrownBy(() -> catalog.deleteNamespace(BackupNamespace.parse("a")))
                .isInstanceOf(SafetyException.class)
                .hasMessageContaining("not empty");
        assertThat(root.resolve("ns/a/vm/-odd")).exists();
    }

    private SnapshotDirectory snapshot(String time) {
        return catalog.snapshot(BackupNamespace.ROOT, SnapshotId.parse("host/mini/" + time));
    }
}
