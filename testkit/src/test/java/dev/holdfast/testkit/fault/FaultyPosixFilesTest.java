package dev.holdfast.testkit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.AtomicFile.Attributes;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import dev.holdfast.posix.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class FaultyPosixFilesTest {

    private static final Attributes PLAIN = new Attributes(FileOwner.UNCHANGED, 0644);

    private final FaultPlan plan = new FaultPlan();
    private final PosixFiles files = new FaultyPosixFiles(JnrPosixFiles.load(), plan);

    @TempDir
    Path dir;

    private static byte[] name(String text) {
        return text.getBytes(UTF_8);
    }

    private static ByteBuffer content(String text) {
        return ByteBuffer.wrap(name(text));
    }

    private static void assertErrno(ThrowingCallable call, Errno errno) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private List<String> listing() throws IOException {
        try (Stream<Path> list = Files.list(dir)) {
            return list.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void nthCallOnAPath_fails() throws IOException {
        Files.createFile(dir.resolve("a"));
        Files.createFile(dir.resolve("b"));
        plan.fail(PosixOperation.TOUCH, 2, "/b$", Errno.EIO);
        try (DirectoryHandle handle = files.openDirectory(dir)) {
            assertThat(handle.touch(name("b"))).isTrue();
            assertThat(handle.touch(name("a"))).isTrue();
            assertThatThrownBy(plan::assertAllHit)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("call 2 of TOUCH");
            assertErrno(() -> handle.touch(name("b")), Errno.EIO);
            assertThat(handle.touch(name("b"))).isTrue();
        }
        plan.assertAllHit();
        assertThat(plan.count(PosixOperation.TOUCH)).isEqualTo(4);
        assertThat(plan.count(PosixOperation.OPEN_DIRECTORY)).isEqualTo(1);
        assertThat(plan.count(PosixOperation.READ)).isZero();
        plan.resetCounts();
        assertThat(plan.count(PosixOperation.TOUCH)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Errno.class,
            names = {"ENOSPC", "EIO", "EDQUOT", "EMFILE", "EACCES", "EPERM", "EROFS", "ESTALE"})
    void everyErrno_arrivesFromEveryKindOfCall(Errno errno) throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        for (PosixOperation operation : PosixOperation.values()) {
            plan.fail(operation, FaultPlan.EVERY, "FAIL|fail", errno);
        }
        Path failing = Files.createDirectory(dir.resolve("fail"));
        assertErrno(() -> files.openDirectory(failing), errno);
        assertErrno(() -> files.openForReading(failing), errno);
        assertErrno(() -> files.create(failing, 0600), errno);
        assertErrno(() -> files.openLock(failing, 0600), errno);
        assertErrno(() -> files.makeDirectory(failing, 0700), errno);
        assertErrno(() -> files.stat(failing, true, new FileStat()), errno);
        assertErrno(() -> files.touch(failing), errno);
        assertErrno(() -> files.changeOwner(failing, -1, -1), errno);
        assertErrno(() -> files.changeMode(failing, 0700), errno);
        assertErrno(() -> files.unlink(failing), errno);
        assertErrno(() -> files.removeDirectory(failing), errno);
        assertErrno(() -> files.rename(file, failing), errno);
        assertErrno(() -> files.link(file, failing), errno);
        assertErrno(() -> files.truncate(failing, 0), errno);
        assertErrno(() -> files.syncFilesystem(failing), errno);
        assertErrno(() -> files.space(failing), errno);
        assertErrno(() -> files.account("fail"), errno);
        assertThat(failing).isEmptyDirectory();
        assertThat(file).isEmptyFile();
    }

    @Test
    void handles_failToo() throws IOException {
        Files.createFile(dir.resolve("seen"));
        plan.fail(PosixOperation.READ, FaultPlan.EVERY, "seen", Errno.EIO)
                .fail(PosixOperation.LIST, 2, "", Errno.ESTALE)
                .fail(PosixOperation.FSYNC, 1, "made", Errno.EIO)
                .fail(PosixOperation.FSYNC_DIRECTORY, 1, "", Errno.EIO)
                .fail(PosixOperation.CLOSE, 1, "made", Errno.EDQUOT)
                .fail(PosixOperation.FLOCK, 1, "lock", Errno.EAGAIN)
                .fail(PosixOperation.RECORD_LOCK, 1, "lock", Errno.EAGAIN)
                .fail(PosixOperation.STAT, 1, "gone", Errno.ENOENT);
        try (DirectoryHandle handle = files.openDirectory(dir);
                ReadableFile readable = handle.openForReading(name("seen"))) {
            assertErrno(() -> readable.read(0, ByteBuffer.allocate(1)), Errno.EIO);
            assertThat(handle.next()).isNotNull();
            assertErrno(handle::next, Errno.ESTALE);
            assertErrno(handle::fsync, Errno.EIO);
            Files.createFile(dir.resolve("gone"));
            assertThat(handle.stat(name("gone"), new FileStat())).isFalse();
            assertThat(handle.stat(name("gone"), new FileStat())).isTrue();
        }
        WritableFile made = files.create(dir.resolve("made"), 0600);
        assertErrno(made::fsync, Errno.EIO);
        assertErrno(made::close, Errno.EDQUOT);
        made.close();
        try (LockHandle lock = files.openLock(dir.resolve("lock"), 0600)) {
            assertThat(lock.tryFlock(true)).isFalse();
            assertThat(lock.tryFlock(true)).isTrue();
            assertThat(lock.tryRecordLock(true)).isFalse();
            assertThat(lock.tryRecordLock(true)).isTrue();
        }
        plan.assertAllHit();
    }

    @Test
    void shortWrite_leavesWhatWasWritten() throws IOException {
        plan.failWriteAfter(3, 2, "file", Errno.ENOSPC);
        try (WritableFile file = files.create(dir.resolve("file"), 0600)) {
            file.write(0, content("ab"));
            ByteBuffer second = content("cdefgh");
            assertErrno(() -> file.write(2, second), Errno.ENOSPC);
            assertThat(second.remaining()).isEqualTo(3);
        }
        assertThat(dir.resolve("file")).hasContent("abcde");
        plan.assertAllHit();
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"CREATE", "WRITE", "FSYNC", "CLOSE", "RENAME"})
    void atomicFile_leavesTheOldContentAndNoTemporaryFile(PosixOperation operation) throws IOException {
        Path path = Files.writeString(dir.resolve("file"), "old");
        plan.fail(operation, 1, "file", Errno.EIO);
        assertErrno(() -> AtomicFile.replace(files, path, content("new"), PLAIN, Durability.FSYNC), Errno.EIO);
        assertThat(path).hasContent("old");
        assertThat(listing()).containsExactly("file");
        plan.assertAllHit();
    }

    @Test
    void atomicFile_reportsAFailedFsyncOfTheDirectory() throws IOException {
        plan.fail(PosixOperation.FSYNC_DIRECTORY, 1, "", Errno.EIO);
        assertErrno(
                () -> AtomicFile.replace(files, dir.resolve("file"), content("new"), PLAIN, Durability.FSYNC),
                Errno.EIO);
        plan.assertAllHit();
    }

    @Test
    void atomicFile_triesAnotherNameIfTheTemporaryExists() throws IOException {
        plan.fail(PosixOperation.CREATE, 1, "tmp_", Errno.EEXIST);
        AtomicFile.replace(files, dir.resolve("file"), content("new"), PLAIN, Durability.NONE);
        assertThat(listing()).containsExactly("file");
        assertThat(plan.count(PosixOperation.CREATE)).isEqualTo(2);
    }

    @Test
    void atomicFile_keepsTheFirstFailureIfCleaningUpFailsToo() throws IOException {
        plan.fail(PosixOperation.WRITE, 1, "file", Errno.ENOSPC).fail(PosixOperation.UNLINK, 1, "tmp_", Errno.EIO);
        assertThatThrownBy(() -> AtomicFile.replace(files, dir.resolve("file"), content("new"), PLAIN, Durability.NONE))
                .isInstanceOfSatisfying(PosixException.class, e -> {
                    assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
                    assertThat(e.getSuppressed()).hasSize(1);
                });
        plan.assertAllHit();
    }

    @Test
    void crash_stopsThatCallAndAllLaterOnes() throws IOException {
        Path path = Files.writeString(dir.resolve("file"), "old");
        plan.crashBefore(PosixOperation.RENAME, 1, "file");
        assertThatThrownBy(() -> AtomicFile.replace(files, path, content("new"), PLAIN, Durability.FSYNC))
                .isInstanceOf(SimulatedCrash.class);
        assertThat(path).hasContent("old");
        // As after a real crash, the temporary file is still there.
        assertThat(listing()).hasSize(2);
        assertThatThrownBy(() -> files.unlink(path)).isInstanceOf(SimulatedCrash.class);
        assertThat(path).exists();
        plan.assertAllHit();
    }

    @Test
    void hook_runsBeforeItsCallAndMayWaitForOthers() throws Exception {
        Path path = Files.createFile(dir.resolve("file"));
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();
        plan.before(PosixOperation.UNLINK, 1, "file", at -> {
            seen.add(at);
            reached.countDown();
            awaitQuietly(go);
        });
        Thread other = new Thread(() -> {
            try {
                files.unlink(path);
            } catch (PosixException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        reached.await();
        assertThat(path).exists();
        assertThat(files.touch(path)).isTrue();
        go.countDown();
        other.join();
        assertThat(path).doesNotExist();
        assertThat(seen).containsExactly(path.toString());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
