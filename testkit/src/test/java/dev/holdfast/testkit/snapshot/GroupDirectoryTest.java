package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.snapshot.GroupDirectory;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.testkit.TestStore;
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

class GroupDirectoryTest {

    private static final BackupGroup GROUP = BackupGroup.parse("host/web1");

    @TempDir
    Path base;

    private TestStore fixture;
    private FilesystemDatastore store;
    private Path path;

    @BeforeEach
    void make() throws IOException {
        fixture = TestStore.in(base);
        store = fixture.open();
        path = fixture.root().resolve("host/web1");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "???\n", "user\n", "a b@pam\n", "u@pam!\n", "u@-pam\n", "u/x@pam\n"})
    void ownerThatDoesNotParse_isReportedWithItsFileAndOtherGroupsAreNot(String content) throws IOException {
        days(1);
        fixture.backup(store, SnapshotId.parse("vm/1/2026-01-01T00:00:00Z"), fixture.chunk("x"));
        Files.writeString(path.resolve("owner"), content);

        assertThat(store.snapshots().groups(BackupNamespace.ROOT)).hasSize(2);
        assertThatThrownBy(() -> group().owner())
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(path.resolve("owner").toString());
        assertThatThrownBy(() -> days(2)).isInstanceOf(FormatException.class);
        assertThat(store.snapshots()
                        .group(BackupNamespace.ROOT, BackupGroup.parse("vm/1"))
                        .owner())
                .isEqualTo(TestStore.OWNER);

        group().setOwner("other@pbs!token");
        assertThat(group().owner()).isEqualTo("other@pbs!token");
    }

    @Test
    void ownerMissingOrDirectory_isReported() throws IOException {
        days(1);
        Files.delete(path.resolve("owner"));
        assertThatThrownBy(() -> group().owner()).isInstanceOf(FormatException.class);
        Files.createDirectory(path.resolve("owner"));
        assertThatThrownBy(() -> group().owner()).isInstanceOf(FormatException.class);
        Files.delete(path.resolve("owner"));
        Files.createSymbolicLink(path.resolve("owner"), Path.of("/dev/zero"));
        assertThatThrownBy(() -> group().owner()).isInstanceOf(FormatException.class);
    }

    @Test
    void ownerFile_countsByItsFirstLine() throws IOException {
        days(1);
        Files.writeString(path.resolve("owner"), "me@pbs \t\r\nand more\n");

        assertThat(group().owner()).isEqualTo("me@pbs");
    }

    @Test
    void ownerOfMissingGroup_isNotFound() {
        assertThatThrownBy(() -> group().owner()).isInstanceOf(SnapshotMissingException.class);
        assertThatThrownBy(() -> group().setOwner("me@pbs")).isInstanceOf(SnapshotMissingException.class);
        assertThatThrownBy(() -> group().notes()).isInstanceOf(SnapshotMissingException.class);
        assertThatThrownBy(() -> group().forget()).isInstanceOf(SnapshotMissingException.class);
        assertThat(path).doesNotExist();
    }

    @Test
    void notes_areKeptAndRemoved() throws IOException {
        days(1);
        assertThat(group().notes()).isEmpty();
        group().setNotes("first\nsécond");
        assertThat(group().notes()).isEqualTo("first\nsécond");
        group().setNotes("");
        assertThat(group().notes()).isEmpty();
        assertThat(path.resolve("notes")).doesNotExist();
    }

    @Test
    void forget_removesGroupOwnerNotesAndLockFiles() throws IOException {
        days(1, 2);
        group().setNotes("some");
        Files.writeString(path.resolve("notes.tmp_abcdef"), "left by a crash");

        assertThat(group().forget()).isEmpty();

        assertThat(path).doesNotExist();
        assertThat(fixture.root().resolve("host")).exists();
        try (var locks = Files.list(base.resolve("locks/store"))) {
            assertThat(locks).isEmpty();
        }
    }

    @Test
    void forget_leavesProtectedSnapshotsAndSaysSo() throws IOException {
        days(1, 2, 3, 4, 5);
        snapshot(1).setProtected(true);
        snapshot(5).setProtected(true);

        List<SnapshotDirectory> kept = group().forget();

        assertThat(kept).extracting(SnapshotDirectory::id).containsExactly(day(1), day(5));
        assertThat(store.snapshots().snapshots(BackupNamespace.ROOT, GROUP)).containsExactly(day(5), day(1));
        assertThat(group().owner()).isEqualTo(TestStore.OWNER);
    }

    @Test
    void forgetOfProtectedSnapshot_isRefusedUntilUnprotected() throws IOException {
        days(1);
        snapshot(1).setProtected(true);

        assertThatThrownBy(() -> snapshot(1).forget()).isInstanceOf(SafetyException.class);
        assertThat(snapshot(1).isFinished()).isTrue();

        snapshot(1).setProtected(false);
        snapshot(1).forget();
        assertThat(path).doesNotExist();
    }

    @Test
    void forgetOfLastSnapshot_leavesTheGroupToWhoeverHoldsIt() throws IOException {
        days(1);
        DirectoryLocks.Guard guard = store.directoryLocks().lockGroup(BackupNamespace.ROOT, GROUP);
        try {
            snapshot(1).forget();
        } finally {
            guard.close();
        }
        assertThat(path.resolve("owner")).exists();
        assertThat(snapshot(1).exists()).isFalse();
    }

    @Test
    void forgetOfLastSnapshot_leavesAGroupThatHoldsUnknownThings() throws IOException {
        days(1);
        Files.createDirectories(path.resolve("2024-02-30T00:00:00Z"));

        snapshot(1).forget();

        assertThat(path.resolve("2024-02-30T00:00:00Z")).exists();
        assertThat(group().owner()).isEqualTo(TestStore.OWNER);
    }

    @Test
    void forgetOfASnapshotThatIsRead_isRefused() throws IOException {
        days(1);
        try (SnapshotReader reader = snapshot(1).open(null)) {
            assertThatThrownBy(() -> snapshot(1).forget()).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() -> group().forget()).isInstanceOf(LockTimeoutException.class);
            assertThat(reader.manifest().files()).hasSize(1);
        }
        snapshot(1).forget();
        assertThatThrownBy(() -> snapshot(1).forget()).isInstanceOf(SnapshotMissingException.class);
    }

    @Test
    void forget_removesWhateverLiesInTheSnapshotAndFollowsNoLink() throws IOException {
        days(1);
        Path outside = Files.writeString(
                Files.createDirectories(base.resolve("outside")).resolve("file"), "kept");
        Path place = snapshot(1).path();
        Files.writeString(Files.createDirectories(place.resolve("sub/deeper")).resolve("file"), "");
        Files.createSymbolicLink(place.resolve("sub/link"), outside.getParent());

        snapshot(1).forget();

        assertThat(place).doesNotExist();
        assertThat(outside).hasContent("kept");
    }

    @Test
    void lastFinished_passesOverUnfinishedSnapshots() throws IOException {
        days(1, 3);
        Files.createDirectories(path.resolve("2026-01-02T00:00:00Z"));
        Files.createDirectories(path.resolve("2026-01-04T00:00:00Z"));

        assertThat(group().lastFinished().orElseThrow().id()).isEqualTo(day(3));
    }

    private void days(int... days) throws IOException {
        for (int day : days) {
            fixture.backup(store, day(day), fixture.chunk("chunk of " + day));
        }
    }

    private static SnapshotId day(int day) {
        return SnapshotId.parse("host/web1/2026-01-0" + day + "T00:00:00Z");
    }

    private SnapshotDirectory snapshot(int day) {
        return store.snapshots().snapshot(BackupNamespace.ROOT, day(day));
    }

    private GroupDirectory group() {
        return store.snapshots().group(BackupNamespace.ROOT, GROUP);
    }
}
