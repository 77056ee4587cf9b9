package dev.holdfast.datastore.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.lock.DirectoryLocks.Guard;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DirectoryLocksTest {

    private static final BackupNamespace ROOT = BackupNamespace.ROOT;
    private static final SnapshotId SNAPSHOT = SnapshotId.parse("vm/100/2026-01-31T12:00:00Z");
    private static final String SNAPSHOT_FILE = "vm-100-2026\\x2d01\\x2d31T12\\x3a00\\x3a00Z";

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path dir;

    private Path lockDirectory;
    private DirectoryLocks locks;

    @BeforeEach
    void open() {
        lockDirectory = dir.resolve("run/locks");
        locks = new DirectoryLocks(files, lockDirectory, "store1", FileOwner.UNCHANGED);
    }

    private Path lockFile(String name) {
        return lockDirectory.resolve("store1").resolve(name);
    }

    private List<String> lockFiles() throws IOException {
        try (Stream<Path> list = Files.list(lockDirectory.resolve("store1"))) {
            return list.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void locks_lieWhereTheyBelongWithMode0660() throws IOException {
        try (Guard group = locks.lockGroup(ROOT, SNAPSHOT.group());
                Guard snapshot = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE);
                Guard manifest = locks.lockManifest(ROOT, SNAPSHOT)) {
            assertThat(List.of(group, snapshot, manifest)).doesNotHaveDuplicates();
            assertThat(lockFiles()).containsExactly("vm-100", SNAPSHOT_FILE, SNAPSHOT_FILE + "-.index.json.lck");
        }
        assertThat(lockFiles()).hasSize(3);
        for (String name : lockFiles()) {
            assertThat((Integer) Files.getAttribute(lockFile(name), "unix:mode") & 0777)
                    .isEqualTo(0660);
        }
        assertThat(locks.moveJournal()).isEqualTo(lockFile("move-journal"));
    }

    @Test
    void lockOfNamespace_liesInItsDirectory() throws IOException {
        locks.lockGroup(BackupNamespace.parse("a/b-c"), SNAPSHOT.group()).close();
        assertThat(lockFile("a:b-c/vm-100")).exists();
        // The same group of another namespace is another lock.
        try (Guard group = locks.lockGroup(ROOT, SNAPSHOT.group())) {
            assertThat(group).isNotNull();
            locks.lockGroup(BackupNamespace.parse("a/b-c"), SNAPSHOT.group()).close();
        }
    }

    @Test
    void exclusive_excludesInsideOneProcess() throws IOException {
        Guard held = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE);
        for (LockMode mode : LockMode.values()) {
            assertThatThrownBy(() -> locks.lockSnapshot(ROOT, SNAPSHOT, mode))
                    .isInstanceOfSatisfying(
                            LockTimeoutException.class,
                            e -> assertThat(e.lock())
                                    .isEqualTo(lockFile(SNAPSHOT_FILE).toString()))
                    .hasMessageContaining("snapshot " + SNAPSHOT)
                    .hasMessageContaining(lockFile(SNAPSHOT_FILE).toString());
        }
        held.close();
        held.close();
        locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE).close();
    }

    @Test
    void readers_coexistAndKeepDeletionOut() throws IOException {
        Guard first = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.SHARED);
        Guard second = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.SHARED);
        assertThatThrownBy(() -> locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE))
                .isInstanceOf(LockTimeoutException.class);
        first.close();
        assertThatThrownBy(() -> locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE))
                .isInstanceOf(LockTimeoutException.class);
        second.close();
        locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE).close();
    }

    @Test
    void removeAndClose_unlinksOnlyWhileHeld() throws IOException {
        Guard held = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE);
        held.removeAndClose();
        assertThat(lockFiles()).isEmpty();

        Guard next = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.EXCLUSIVE);
        held.removeAndClose();
        held.close();
        assertThat(lockFiles()).containsExactly(SNAPSHOT_FILE);
        next.close();
    }

    @Test
    void otherProcess_isExcludedAndNamed() throws Exception {
        try (LockChild other = LockChild.forStore(dir, lockDirectory)) {
            assertThat(other.ask("snapshot-exclusive")).isEqualTo("ok");
            assertThatThrownBy(() -> locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.SHARED))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("process " + other.pid() + " (java)");
            assertThat(other.ask("release")).isEqualTo("ok");
            Guard mine = locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.SHARED);
            assertThat(other.ask("snapshot-shared")).isEqualTo("ok");
            assertThat(other.ask("snapshot-exclusive")).startsWith("held").contains(SNAPSHOT_FILE);
            assertThat(other.ask("group")).isEqualTo("ok");
            assertThatThrownBy(() -> locks.lockGroup(ROOT, SNAPSHOT.group())).isInstanceOf(LockTimeoutException.class);
            other.kill();
            locks.lockGroup(ROOT, SNAPSHOT.group()).close();
            mine.close();
        }
    }

    @Test
    void flockCommand_seesTheSameLock() throws Exception {
        assumeThat(Path.of("/usr/bin/flock"))
                .as("flock of util-linux is needed")
                .exists();
        Guard held = locks.lockGroup(ROOT, SNAPSHOT.group());
        assertThat(flockCommand()).isEqualTo(1);
        held.close();
        assertThat(flockCommand()).isZero();
    }

    private int flockCommand() throws Exception {
        return new ProcessBuilder(
                        "/usr/bin/flock", "--nonblock", lockFile("vm-100").toString(), "true")
                .start()
                .waitFor();
    }

    @Test
    void manifestLock_isWaitedFor() throws Exception {
        Guard held = locks.lockManifest(ROOT, SNAPSHOT);
        Thread waiter = Thread.currentThread();
        Thread releaser = new Thread(() -> {
            while (waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            held.close();
        });
        releaser.setDaemon(true);
        releaser.start();
        locks.lockManifest(ROOT, SNAPSHOT).close();
        releaser.join();
    }

    @Test
    void interruptedWait_endsAtOnceAndKeepsTheInterrupt() throws IOException {
        try (Guard held = locks.lockManifest(ROOT, SNAPSHOT)) {
            assertThat(held).isNotNull();
            Thread.currentThread().interrupt();
            long before = System.nanoTime();
            assertThatThrownBy(() -> locks.lockManifest(ROOT, SNAPSHOT)).isInstanceOf(LockTimeoutException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(System.nanoTime() - before).isLessThan(4_000_000_000L);
        }
    }

    @Test
    void lockDirectoryThatCannotBeMade_namesTheKey() throws IOException {
        Files.createFile(dir.resolve("run"));
        assertThatThrownBy(() -> locks.lockSnapshot(ROOT, SNAPSHOT, LockMode.SHARED))
                .isInstanceOf(DatastoreException.class)
                .isNotInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("lock-directory")
                .hasMessageContaining(lockDirectory.toString());
    }

    @Test
    void root_givesLockFilesToTheOwner() throws IOException {
        assumeThat(files.effectiveUid()).as("only root may give files away").isZero();
        locks = new DirectoryLocks(files, lockDirectory, "store1", new FileOwner(34, 35));
        locks.lockGroup(ROOT, SNAPSHOT.group()).close();
        for (Path path : List.of(lockDirectory, lockFile(""), lockFile("vm-100"))) {
            assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(34);
            assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(35);
        }
    }
}
