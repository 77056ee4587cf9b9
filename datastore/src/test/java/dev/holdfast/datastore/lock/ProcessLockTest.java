package dev.holdfast.datastore.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProcessLockTest {

    private final PosixFiles files = JnrPosixFiles.load();
    private final MovableClock clock = new MovableClock();

    @TempDir
    Path dir;

    private Path lockFile;

    /** A clock that stands until it is moved. */
    private static final class MovableClock extends Clock {

        private long second = 1000;

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
            return Instant.ofEpochSecond(second, 999_999_999);
        }
    }

    @BeforeEach
    void names() {
        lockFile = dir.resolve(".lock");
    }

    private ProcessLock open() throws DatastoreException {
        return ProcessLock.open(files, lockFile, clock);
    }

    private LockChild child() throws IOException {
        return LockChild.forStore(dir, dir.resolve("locks"));
    }

    private long descriptors() throws IOException {
        long count = 0;
        try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
            for (Path link : links.toList()) {
                if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(dir)) {
                    count++;
                }
            }
        }
        return count;
    }

    @Test
    void open_createsAnEmptyFileWithTheRightMode() throws IOException {
        open().close();
        assertThat(lockFile).isEmptyFile();
        assertThat((Integer) Files.getAttribute(lockFile, "unix:mode") & 0777).isEqualTo(0644);
        try (Stream<Path> list = Files.list(dir)) {
            assertThat(list).containsExactly(lockFile);
        }
    }

    @Test
    void oldestWriter_isTheSmallestStartInWholeSeconds() throws IOException {
        try (ProcessLock lock = open()) {
            assertThat(lock.oldestWriter()).isEmpty();
            ProcessLock.Guard first = lock.acquireShared();
            clock.second = 2000;
            ProcessLock.Guard second = lock.acquireShared();
            ProcessLock.Guard third = lock.acquireShared();
            assertThat(lock.oldestWriter()).isEqualTo(OptionalLong.of(1000));
            first.close();
            first.close();
            assertThat(lock.oldestWriter()).isEqualTo(OptionalLong.of(2000));
            second.close();
            assertThat(lock.oldestWriter()).isEqualTo(OptionalLong.of(2000));
            third.close();
            assertThat(lock.oldestWriter()).isEmpty();
        }
    }

    @Test
    void sharedAndExclusive_coexistInOneProcess() throws IOException {
        try (ProcessLock lock = open()) {
            ProcessLock.Guard writer = lock.acquireShared();
            ProcessLock.Guard gc = lock.acquireExclusive();
            ProcessLock.Guard laterWriter = lock.acquireShared();
            assertThatThrownBy(lock::acquireExclusive)
                    .isInstanceOfSatisfying(
                            LockTimeoutException.class,
                            e -> assertThat(e.lock()).isEqualTo(lockFile.toString()))
                    .hasMessageContaining("by this process");
            gc.close();
            lock.acquireExclusive().close();
            writer.close();
            laterWriter.close();
        }
    }

    @Test
    void twoOpeners_shareOneDescriptorAndOneBook() throws IOException {
        Files.createSymbolicLink(dir.resolve("alias"), dir);
        try (ProcessLock a = open()) {
            ProcessLock b = ProcessLock.open(files, dir.resolve("alias/.lock"), clock);
            assertThat(descriptors()).isEqualTo(1);
            ProcessLock.Guard writer = b.acquireShared();
            assertThat(a.oldestWriter()).isEqualTo(OptionalLong.of(1000));
            b.close();
            b.close();
            assertThatThrownBy(b::acquireShared).hasMessageContaining("closed");
            assertThat(a.oldestWriter()).isEqualTo(OptionalLong.of(1000));
            writer.close();
            assertThat(a.oldestWriter()).isEmpty();
        }
        assertThat(descriptors()).isZero();
    }

    @Test
    void guard_outlivesTheInstanceThatGaveIt() throws IOException {
        ProcessLock lock = open();
        ProcessLock.Guard writer = lock.acquireShared();
        lock.close();
        try (LockChild other = child()) {
            assertThat(other.ask("exclusive")).startsWith("held");
            writer.close();
            assertThat(descriptors()).isZero();
            assertThat(other.ask("exclusive")).isEqualTo("ok");
        }
    }

    @Test
    void writersOfTwoProcesses_coexistAndKeepGarbageCollectionOut() throws IOException {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            ProcessLock.Guard writer = lock.acquireShared();
            assertThat(other.ask("shared")).isEqualTo("ok");
            assertThatThrownBy(lock::acquireExclusive)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(lockFile.toString())
                    .hasMessageContaining("process " + other.pid() + " (java)");
            assertThat(other.ask("exclusive"))
                    .startsWith("held")
                    .contains("process " + ProcessHandle.current().pid());

            assertThat(other.ask("release")).isEqualTo("ok");
            // The failed attempt has not cost us our own read lock.
            ProcessLock.Guard gc = lock.acquireExclusive();
            assertThat(other.ask("shared")).startsWith("held");
            gc.close();
            assertThat(other.ask("shared")).isEqualTo("ok");
            writer.close();
            assertThat(other.ask("exclusive")).isEqualTo("ok");
        }
    }

    @Test
    void exclusiveReleasedBesideAWriter_keepsTheReadLock() throws IOException {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            ProcessLock.Guard gc = lock.acquireExclusive();
            ProcessLock.Guard writer = lock.acquireShared();
            gc.close();
            assertThat(other.ask("exclusive")).startsWith("held");
            assertThat(other.ask("shared")).isEqualTo("ok");
            assertThat(other.ask("release")).isEqualTo("ok");
            writer.close();
            assertThat(other.ask("exclusive")).isEqualTo("ok");
        }
    }

    @Test
    void lastWriterBesideExclusive_keepsTheWriteLock() throws IOException {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            ProcessLock.Guard writer = lock.acquireShared();
            ProcessLock.Guard gc = lock.acquireExclusive();
            writer.close();
            assertThat(other.ask("shared")).startsWith("held");
            gc.close();
            assertThat(other.ask("shared")).isEqualTo("ok");
        }
    }

    @Test
    void exclusiveOfAnotherProcess_refusesWritersUntilItDies() throws Exception {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            assertThat(other.ask("exclusive")).isEqualTo("ok");
            assertThatThrownBy(lock::acquireShared)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("process " + other.pid());
            assertThatThrownBy(lock::acquireExclusive).isInstanceOf(LockTimeoutException.class);
            assertThat(lock.oldestWriter()).isEmpty();
            other.kill();
            lock.acquireShared().close();
        }
    }

    @Test
    void anotherOpenerClosing_doesNotDropTheLock() throws IOException {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            ProcessLock.Guard gc = lock.acquireExclusive();
            open().close();
            assertThat(other.ask("shared")).startsWith("held");
            gc.close();
        }
    }

    @Test
    void fileThatCannotBeMade_failsOnlyAcquisition() throws IOException {
        Path notADirectory = Files.createFile(dir.resolve("file"));
        lockFile = notADirectory.resolve(".lock");
        try (ProcessLock lock = open()) {
            assertThat(lock.oldestWriter()).isEmpty();
            assertThatThrownBy(lock::acquireShared)
                    .isInstanceOf(DatastoreException.class)
                    .isNotInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(lockFile + " cannot be locked: not a directory");
            Files.delete(notADirectory);
            Files.createDirectory(notADirectory);
            lock.acquireShared().close();
        }
    }

    @Test
    void replacedFile_isOpenedAnewUnlessHeld() throws IOException {
        try (ProcessLock lock = open();
                LockChild other = child()) {
            Files.move(
                    Files.createFile(dir.resolve("new")), lockFile, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            ProcessLock.Guard writer = lock.acquireShared();
            assertThat(other.ask("exclusive")).startsWith("held");
            Files.delete(lockFile);
            assertThatThrownBy(lock::acquireExclusive).hasMessageContaining("removed or replaced");
            writer.close();
            lock.acquireExclusive().close();
            assertThat(descriptors()).isEqualTo(1);
        }
    }
}
