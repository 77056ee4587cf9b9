package dev.holdfast.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.DirectoryLocks.Guard;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.snapshot.FlockMoveJournal;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks on a read-only mount, on a sick disk, and beside somebody who deletes. */
class LockFaultsTest {

    private static final SnapshotId SNAPSHOT = SnapshotId.parse("vm/100/2026-01-31T12:00:00Z");

    private final FaultPlan plan = new FaultPlan();
    private final PosixFiles files = new FaultyPosixFiles(JnrPosixFiles.load(), plan);
    private final TestClock clock = TestClock.atSecond(1000);

    @TempDir
    Path dir;

    private ProcessLock openProcessLock() throws DatastoreException {
        return ProcessLock.open(files, dir.resolve(".lock"), clock);
    }

    private DirectoryLocks directoryLocks() {
        return new DirectoryLocks(files, dir.resolve("locks"), "store1", FileOwner.UNCHANGED);
    }

    private static List<String> namesIn(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"CREATE", "OPEN_LOCK"})
    void readOnlyMount_failsAcquisitionAndNotOpening(PosixOperation operation) throws IOException {
        plan.fail(operation, 1, "lock", Errno.EROFS)
                .fail(operation, 2, "lock", Errno.EROFS)
                .fail(operation, 3, "lock", Errno.EROFS);
        try (ProcessLock lock = openProcessLock()) {
            assertThat(lock.oldestWriter()).isEmpty();
            assertThatThrownBy(lock::acquireShared)
                    .isNotInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("mounted read-only");
            assertThatThrownBy(lock::acquireExclusive).hasMessageContaining("mounted read-only");
            plan.assertAllHit();
            // Mounted read-write again, the same open store can be written.
            ProcessLock.Guard writer = lock.acquireShared();
            assertThat(lock.oldestWriter()).isEqualTo(OptionalLong.of(1000));
            writer.close();
        }
        assertThat(namesIn(dir)).containsExactly(".lock");
    }

    @Test
    void failedRecordLock_isAnErrorAndNotTaken() throws IOException {
        plan.fail(PosixOperation.RECORD_LOCK, 1, "lock", Errno.EIO).fail(PosixOperation.RECORD_LOCK, 2, "", Errno.EIO);
        try (ProcessLock lock = openProcessLock()) {
            assertThatThrownBy(lock::acquireShared)
                    .isNotInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("input/output error");
            assertThatThrownBy(lock::acquireExclusive).hasMessageContaining("input/output error");
            assertThat(lock.oldestWriter()).isEmpty();
            lock.acquireExclusive().close();
        }
        plan.assertAllHit();
    }

    @Test
    void lockFileDeletedWhileItIsTaken_isBusyAndLeavesNothingLocked() throws IOException {
        Path file = dir.resolve("locks/store1/vm-100");
        plan.before(
                PosixOperation.FLOCK, 1, "vm-100", at -> JnrPosixFiles.load().unlink(file));
        DirectoryLocks locks = directoryLocks();
        assertThatThrownBy(() -> locks.lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("was deleted while");
        locks.lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()).close();
        plan.assertAllHit();
    }

    @Test
    void filesystemWithoutHardLinks_getsItsLockFileAnyway() throws IOException {
        plan.fail(PosixOperation.LINK, 1, "vm-100", Errno.EPERM);
        directoryLocks().lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()).close();
        assertThat(namesIn(dir.resolve("locks/store1"))).containsExactly("vm-100");
        plan.assertAllHit();
    }

    @Test
    void lockDirectoryWithoutPermission_namesTheKey() {
        plan.fail(PosixOperation.MAKE_DIRECTORY, 1, "locks", Errno.EACCES);
        assertThatThrownBy(() -> directoryLocks().lockSnapshot(BackupNamespace.ROOT, SNAPSHOT, LockMode.SHARED))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("permission denied")
                .hasMessageContaining("lock-directory");
    }

    @Test
    void flockThatIsNotSupported_isAnErrorAndNotBusy() {
        plan.fail(PosixOperation.FLOCK, 1, "vm-100", Errno.EOPNOTSUPP);
        assertThatThrownBy(() -> directoryLocks().lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()))
                .isInstanceOf(DatastoreException.class)
                .isNotInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("not supported");
    }

    @Test
    void lockFileThatCannotBeUnlinked_isReleasedAnyway() throws IOException {
        DirectoryLocks locks = directoryLocks();
        Guard held = locks.lockGroup(BackupNamespace.ROOT, SNAPSHOT.group());
        plan.fail(PosixOperation.UNLINK, 1, "vm-100$", Errno.EIO);
        held.removeAndClose();
        locks.lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()).close();
        plan.assertAllHit();
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"STAT", "OPEN_LOCK", "OPEN_FOR_READING", "READ", "TRUNCATE"})
    void journalThatCannotBeRead_isNeverEmpty(PosixOperation operation) throws IOException {
        DirectoryLocks locks = directoryLocks();
        Files.createDirectories(locks.moveJournal().getParent());
        Files.writeString(locks.moveJournal(), "/a\n");
        plan.fail(operation, 1, "move-journal", Errno.EIO);
        FlockMoveJournal journal = new FlockMoveJournal(files, locks);
        List<Path> seen = new ArrayList<>();
        assertThatThrownBy(() -> journal.drain(seen::add))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("input/output error");
        assertThat(locks.moveJournal()).hasContent("/a\n");
        journal.drain(seen::add);
        assertThat(seen).contains(Path.of("/a"));
        assertThat(locks.moveJournal()).isEmptyFile();
        plan.assertAllHit();
    }
}
