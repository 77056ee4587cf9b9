package dev.holdfast.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JnrLockTest {

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path dir;

    @Test
    void flockOfTwoDescriptions_excludesInsideOneProcess() throws IOException {
        Path path = dir.resolve("lock");
        try (LockHandle b = files.openLock(path, 0660)) {
            try (LockHandle a = files.openLock(path, 0660)) {
                assertThat(a.tryFlock(false)).isTrue();
                assertThat(b.tryFlock(false)).isTrue();
                assertThat(b.tryFlock(true)).isFalse();
            }
            assertThat(b.tryFlock(true)).isTrue();
            try (LockHandle c = files.openLock(path, 0660)) {
                assertThat(c.tryFlock(false)).isFalse();
            }
        }
    }

    @Test
    void recordLock_neverConflictsWithItsOwnProcess() throws IOException {
        Path path = dir.resolve("lock");
        try (LockHandle a = files.openLock(path, 0660)) {
            assertThat(a.tryRecordLock(false)).isTrue();
            assertThat(a.tryRecordLock(true)).isTrue();
            assertThat(a.recordLockHolder(true)).isZero();
            a.unlockRecord();
            a.unlockRecord();
        }
    }

    @Test
    void stat_followsTheOpenFile() throws IOException {
        Path path = dir.resolve("lock");
        FileStat open = new FileStat();
        try (LockHandle a = files.openLock(path, 0660)) {
            a.stat(open);
            assertThat(open.inode()).isEqualTo((Long) Files.getAttribute(path, "unix:ino"));
            Files.delete(path);
            a.stat(open);
            assertThat(open.links()).isZero();
        }
    }

    @Test
    void useAfterClose_isEbadf() throws IOException {
        LockHandle a = files.openLock(dir.resolve("lock"), 0660);
        a.close();
        a.close();
        assertThatThrownBy(() -> a.tryFlock(true))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }
}
