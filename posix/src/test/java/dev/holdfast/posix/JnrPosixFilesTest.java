package dev.holdfast.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JnrPosixFilesTest {

    private static final Instant LONG_AGO = Instant.ofEpochSecond(1_000_000_000L, 123_456_000);

    private final PosixFiles files = JnrPosixFiles.load();
    private final FileStat stat = new FileStat();

    @TempDir
    Path dir;

    private long descriptorsBefore;

    @BeforeEach
    void countDescriptors() throws IOException {
        Files.writeString(dir.resolve("warm"), "x");
        files.openForReading(dir.resolve("warm")).close();
        Files.delete(dir.resolve("warm"));
        descriptorsBefore = openDescriptorsBelow(dir);
    }

    @AfterEach
    void noDescriptorLeaks() throws IOException {
        assertThat(openDescriptorsBelow(dir)).isEqualTo(descriptorsBefore).isZero();
    }

    private static long openDescriptorsBelow(Path dir) throws IOException {
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

    private static byte[] name(String text) {
        return text.getBytes(UTF_8);
    }

    private Path fileOf(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content);
    }

    private static void age(Path path) throws IOException {
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.from(LONG_AGO), FileTime.from(LONG_AGO), null);
    }

    private static void assertErrno(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Errno errno) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private void assertTouchedNow() {
        assertThat(stat.accessSeconds())
                .isBetween(Instant.now().getEpochSecond() - 60, Instant.now().getEpochSecond());
        assertThat(stat.modifySeconds()).isEqualTo(LONG_AGO.getEpochSecond());
        assertThat(stat.modifyNanos()).isEqualTo(LONG_AGO.getNano());
    }

    @Test
    void touchByPath_movesAccessTimeOnly() throws IOException {
        Path file = fileOf("chunk", "content");
        age(file);

        assertThat(files.touch(file)).isTrue();

        assertThat(files.stat(file, true, stat)).isTrue();
        assertTouchedNow();
    }

    @Test
    void touchByName_movesAccessTimeOnly() throws IOException {
        Files.createDirectory(dir.resolve("abcd"));
        age(fileOf("abcd/chunk", "content"));

        try (DirectoryHandle handle = files.openDirectory(dir);
                DirectoryHandle below = handle.openDirectory(name("abcd"))) {
            assertThat(below.touch(name("chunk"))).isTrue();
            assertThat(below.stat(name("chunk"), stat)).isTrue();
            assertTouchedNow();
            age(dir.resolve("abcd/chunk"));
            assertThat(handle.touch(name("abcd/chunk"))).isTrue();
        }
        assertThat(files.stat(dir.resolve("abcd/chunk"), true, stat)).isTrue();
        assertTouchedNow();
    }

    @Test
    void touchOfLink_changesTheLinkAndNotItsTarget() throws IOException {
        Path target = fileOf("target", "content");
        Path link = Files.createSymbolicLink(dir.resolve("link"), target);
        age(target);
        age(link);

        assertThat(files.touch(link)).isTrue();

        assertThat(files.stat(link, false, stat)).isTrue();
        assertThat(stat.type()).isEqualTo(FileType.SYMLINK);
        assertTouchedNow();
        assertThat(files.stat(target, false, stat)).isTrue();
        assertThat(stat.accessSeconds()).isEqualTo(LONG_AGO.getEpochSecond());
    }

    @Test
    void touchOfDanglingLink_touchesTheLink() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nowhere"));

        assertThat(files.touch(link)).isTrue();
        assertThat(files.stat(link, true, stat)).isFalse();
        assertThat(files.stat(link, false, stat)).isTrue();
        assertErrno(() -> files.openForReading(link), Errno.ENOENT);
    }

    @Test
    void touchOfMissing_isFalse() throws IOException {
        assertThat(files.touch(dir.resolve("missing"))).isFalse();
        assertThat(files.touch(dir.resolve("missing/below"))).isFalse();
        try (DirectoryHandle handle = files.openDirectory(dir)) {
            assertThat(handle.touch(name("missing"))).isFalse();
            assertThat(handle.stat(name("missing"), stat)).isFalse();
            assertThat(handle.unlink(name("missing"))).isFalse();
            assertErrno(() -> handle.openDirectory(name("missing")), Errno.ENOENT);
            assertErrno(() -> handle.openForReading(name("missing")), Errno.ENOENT);
            assertErrno(() -> handle.rename(name("missing"), name("other")), Errno.ENOENT);
        }
    }

    @Test
    void pathThroughFile_isEnotdirAndNotAbsence() throws IOException {
        Path below = fileOf("file", "x").resolve("below");

        assertErrno(() -> files.touch(below), Errno.ENOTDIR);
        assertErrno(() -> files.stat(below, true, stat), Errno.ENOTDIR);
        assertErrno(() -> files.unlink(below), Errno.ENOTDIR);
        assertErrno(() -> files.openDirectory(dir.resolve("file")), Errno.ENOTDIR);
        try (DirectoryHandle handle = files.openDirectory(dir)) {
            assertErrno(() -> handle.touch(name("file/below")), Errno.ENOTDIR);
            assertErrno(() -> handle.stat(name("file/below"), stat), Errno.ENOTDIR);
            assertErrno(() -> handle.unlink(name("file/below")), Errno.ENOTDIR);
            assertErrno(() -> handle.openDirectory(name("file")), Errno.ENOTDIR);
        }
    }

    @Test
    void closedDirectory_isEaccesForOthersThanRoot() throws IOException {
        assumeThat(files.effectiveUid()).as("root passes permission checks").isNotZero();
        Path closed = Files.createDirectory(dir.resolve("closed"));
        fileOf("closed/chunk", "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            assertErrno(() -> files.touch(closed.resolve("chunk")), Errno.EACCES);
            assertErrno(() -> files.stat(closed.resolve("chunk"), true, stat), Errno.EACCES);
            assertErrno(() -> files.openForReading(closed.resolve("chunk")), Errno.EACCES);
            assertErrno(() -> files.openDirectory(closed), Errno.EACCES);
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void loopOfLinks_isEloop() throws IOException {
        Path loop = Files.createSymbolicLink(dir.resolve("loop"), Path.of("loop"));
        assertErrno(() -> files.openForReading(loop), Errno.ELOOP);
        assertErrno(() -> files.openDirectory(loop), Errno.ELOOP);
    }

    @Test
    void linkedDirectory_isFollowed() throws IOException {
        Path target = Files.createDirectory(dir.resolve("target"));
        Files.createSymbolicLink(dir.resolve("link"), target);
        fileOf("target/file", "x");

        try (DirectoryHandle handle = files.openDirectory(dir);
                DirectoryHandle below = handle.openDirectory(name("link"))) {
            assertThat(below.stat(name("file"), stat)).isTrue();
            assertThat(below.path()).isEqualTo(dir + "/link");
        }
    }

    @Test
    void namesThatWouldLeaveTheDirectory_areRefused() throws IOException {
        try (DirectoryHandle handle = files.openDirectory(dir)) {
            assertThatThrownBy(() -> handle.touch(name("/etc/passwd"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> handle.unlink(name("a\0b"))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void statGivesEveryField() throws IOException {
        Path file = fileOf("file", "12345");
        Files.createLink(dir.resolve("second"), file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        age(file);

        assertThat(files.stat(file, true, stat)).isTrue();

        assertThat(stat.type()).isEqualTo(FileType.REGULAR);
        assertThat(stat.permissions()).isEqualTo(0640);
        assertThat(stat.mode()).isEqualTo((Integer) Files.getAttribute(file, "unix:mode"));
        assertThat(stat.size()).isEqualTo(5);
        assertThat(stat.links()).isEqualTo(2);
        assertThat(stat.inode()).isEqualTo((Long) Files.getAttribute(file, "unix:ino"));
        assertThat(stat.device()).isEqualTo((Long) Files.getAttribute(file, "unix:dev"));
        assertThat(stat.uid()).isEqualTo(files.effectiveUid());
        assertThat(stat.accessSeconds()).isEqualTo(LONG_AGO.getEpochSecond());
        assertThat(stat.accessNanos()).isEqualTo(LONG_AGO.getNano());
        assertThat(stat.modifyNanos()).isEqualTo(LONG_AGO.getNano());
        assertThat(stat.changeSeconds()).isGreaterThan(LONG_AGO.getEpochSecond());

        assertThat(files.stat(Path.of("/dev/null"), true, stat)).isTrue();
        assertThat(stat.type()).isEqualTo(FileType.CHARACTER_DEVICE);
        assertThat(stat.rdev()).isEqualTo((Long) Files.getAttribute(Path.of("/dev/null"), "unix:rdev"));
    }

    @Test
    void deviceNumber_isComposedAsInStat() {
        assertThat(Linux.device(0xfe, 0x01)).isEqualTo(0xfe01);
        assertThat(Linux.device(0x1234, 0x56789)).isEqualTo(0x0000_1000_5672_3489L);
    }

    @Test
    void readingAndListing_leaveAccessTimesAlone() throws IOException {
        Path file = fileOf("file", "content");
        age(file);
        age(dir);

        try (ReadableFile readable = files.openForReading(file);
                DirectoryHandle handle = files.openDirectory(dir)) {
            assertThat(readable.read(0, ByteBuffer.allocate(10))).isEqualTo(7);
            assertThat(handle.next()).isNotNull();
            readable.stat(stat);
            assertThat(stat.accessSeconds()).isEqualTo(LONG_AGO.getEpochSecond());
            handle.stat(stat);
            assertThat(stat.accessSeconds()).isEqualTo(LONG_AGO.getEpochSecond());
        }
    }

    @Test
    void read_fillsBuffersOfEveryKind() throws IOException {
        Path file = fileOf("file", "0123456789");
        try (ReadableFile readable = files.openForReading(file)) {
            assertThat(readable.size()).isEqualTo(10);
            for (ByteBuffer whole : List.of(ByteBuffer.allocate(16), ByteBuffer.allocateDirect(16))) {
                whole.put((byte) '-').put((byte) '-');
                ByteBuffer buffer = whole.slice();
                buffer.position(1).limit(5);
                assertThat(readable.read(3, buffer)).isEqualTo(4);
                assertThat(buffer.position()).isEqualTo(5);
                byte[] bytes = new byte[16];
                whole.clear().get(bytes);
                assertThat(new String(bytes, UTF_8)).isEqualTo("--\0" + "3456" + "\0".repeat(9));
            }
            ByteBuffer long20 = ByteBuffer.allocate(20);
            assertThat(readable.read(6, long20)).isEqualTo(4);
            assertThat(readable.read(10, long20)).isZero();
            assertThat(readable.read(1L << 40, long20)).isZero();
        }
    }

    @Test
    void unlinkedFile_staysReadable() throws IOException {
        Path file = fileOf("file", "abc");
        try (ReadableFile readable = files.openForReading(file)) {
            assertThat(files.unlink(file)).isTrue();
            assertThat(files.unlink(file)).isFalse();
            assertThat(readable.read(0, ByteBuffer.allocate(3))).isEqualTo(3);
        }
    }

    @Test
    void useAfterClose_isRefusedAndCloseIsIdempotent() throws IOException {
        Path file = fileOf("file", "abc");
        ReadableFile readable = files.openForReading(file);
        DirectoryHandle handle = files.openDirectory(dir);
        readable.close();
        readable.close();
        handle.close();
        handle.close();
        assertErrno(() -> readable.read(0, ByteBuffer.allocate(1)), Errno.EBADF);
        assertErrno(() -> handle.touch(name("file")), Errno.EBADF);
        assertErrno(handle::next, Errno.EBADF);
    }

    @Test
    void fifo_neverBlocks() throws Exception {
        Path fifo = dir.resolve("fifo");
        assumeThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .as("mkfifo is needed")
                .isZero();
        try (ReadableFile readable = files.openForReading(fifo);
                DirectoryHandle handle = files.openDirectory(dir);
                ReadableFile byName = handle.openForReading(name("fifo"))) {
            readable.stat(stat);
            assertThat(stat.type()).isEqualTo(FileType.FIFO);
            byName.stat(stat);
            assertThat(stat.type()).isEqualTo(FileType.FIFO);
            assertErrno(() -> readable.read(0, ByteBuffer.allocate(1)), Errno.OTHER);
        }
        assertThat(files.touch(fifo)).isTrue();
    }

    @Test
    void listing_givesEveryNameOnceWithInodeAndType() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            String name = "%04d-".formatted(i) + "n".repeat(i % 200);
            fileOf(name, "");
            expected.add(name);
        }
        Files.createDirectory(dir.resolve("..directory"));
        Files.createSymbolicLink(dir.resolve(".link"), Path.of("x"));
        expected.add("..directory");
        expected.add(".link");

        try (DirectoryHandle handle = files.openDirectory(dir)) {
            for (int round = 0; round < 2; round++) {
                List<String> seen = new ArrayList<>();
                for (DirectoryEntry e = handle.next(); e != null; e = handle.next()) {
                    seen.add(e.text());
                    assertThat(e.inode()).isPositive();
                    if (e.text().equals("..directory")) {
                        assertThat(e.type()).isIn(FileType.DIRECTORY, FileType.UNKNOWN);
                    } else if (e.text().equals(".link")) {
                        assertThat(e.type()).isIn(FileType.SYMLINK, FileType.UNKNOWN);
                    } else {
                        assertThat(e.type()).isIn(FileType.REGULAR, FileType.UNKNOWN);
                    }
                }
                assertThat(seen).hasSize(expected.size());
                assertThat(new TreeSet<>(seen)).isEqualTo(expected);
                assertThat(handle.next()).isNull();
                handle.rewind();
            }
        }
    }

    @Test
    void nameThatIsNotUtf8_isReachedByItsBytes() throws IOException {
        byte[] odd = {'x', (byte) 0xff, (byte) 0xfe, 'y'};
        fileOf("plain", "abc");
        try (DirectoryHandle handle = files.openDirectory(dir)) {
            handle.rename(name("plain"), odd);
            DirectoryEntry entry = handle.next();
            assertThat(entry).isNotNull();
            assertThat(entry.name()).isEqualTo(odd);
            assertThat(handle.touch(entry.name())).isTrue();
            assertThat(handle.unlink(entry.name())).isTrue();
            handle.fsync();
        }
    }

    @Test
    void createAndMakeDirectory_giveExactlyTheMode() throws IOException {
        try (WritableFile file = files.create(dir.resolve("file"), 0666)) {
            file.stat(stat);
            assertThat(stat.permissions()).isEqualTo(0666);
            file.changeMode(0600);
            file.stat(stat);
            assertThat(stat.permissions()).isEqualTo(0600);
        }
        assertThat(files.makeDirectory(dir.resolve("d"), 0777)).isTrue();
        assertThat(files.makeDirectory(dir.resolve("d"), 0700)).isFalse();
        assertThat(files.makeDirectory(dir.resolve("file"), 0700)).isFalse();
        assertThat(files.stat(dir.resolve("d"), true, stat)).isTrue();
        assertThat(stat.permissions()).isEqualTo(0777);
        files.openLock(dir.resolve("lock"), 0662).close();
        assertThat(files.stat(dir.resolve("lock"), true, stat)).isTrue();
        assertThat(stat.permissions()).isEqualTo(0662);
        files.changeMode(dir.resolve("lock"), 0640);
        files.openLock(dir.resolve("lock"), 0777).close();
        assertThat(files.stat(dir.resolve("lock"), true, stat)).isTrue();
        assertThat(stat.permissions()).isEqualTo(0640);
        assertErrno(() -> files.create(dir.resolve("file"), 0600), Errno.EEXIST);
        assertErrno(() -> files.create(dir.resolve("none/file"), 0600), Errno.ENOENT);
        assertErrno(() -> files.makeDirectory(dir.resolve("none/d"), 0600), Errno.ENOENT);
        Files.createSymbolicLink(dir.resolve("link"), Path.of("elsewhere"));
        assertErrno(() -> files.create(dir.resolve("link"), 0600), Errno.EEXIST);
        assertErrno(() -> files.openLock(dir.resolve("link"), 0600), Errno.EEXIST);
    }

    @Test
    void write_putsBytesAtPositions() throws IOException {
        Path path = dir.resolve("file");
        try (WritableFile file = files.create(path, 0600)) {
            file.write(3, ByteBuffer.wrap(name("-defg"), 1, 4));
            file.write(0, ByteBuffer.allocateDirect(3).put(name("abc")).flip());
            file.write(7, ByteBuffer.wrap(name("xyz")).asReadOnlyBuffer());
            file.truncate(8);
            file.fsync();
        }
        assertThat(Files.readString(path)).isEqualTo("abcdefgx");
        files.truncate(path, 3);
        assertThat(Files.readString(path)).isEqualTo("abc");
        assertErrno(() -> files.truncate(dir.resolve("none"), 0), Errno.ENOENT);
    }

    @Test
    void everyDescriptor_isClosedOnExec() throws IOException {
        Path path = fileOf("file", "x");
        try (ReadableFile readable = files.openForReading(path);
                DirectoryHandle handle = files.openDirectory(dir);
                ReadableFile byName = handle.openForReading(name("file"));
                DirectoryHandle below = handle.openDirectory(name("."));
                WritableFile made = files.create(dir.resolve("made"), 0600);
                LockHandle lock = files.openLock(dir.resolve("lock"), 0600);
                LockHandle again = files.openLock(dir.resolve("lock"), 0600)) {
            assertThat(List.of(readable, handle, byName, below, made, lock, again))
                    .hasSize(7);
            int seen = 0;
            try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
                for (Path link : links.toList()) {
                    if (Files.isSymbolicLink(link)
                            && Files.readSymbolicLink(link).startsWith(dir)) {
                        String info = Files.readString(
                                Path.of("/proc/self/fdinfo", link.getFileName().toString()));
                        String flags = info.replaceFirst("(?s).*flags:\\s*([0-7]+).*", "$1");
                        assertThat(Integer.parseInt(flags, 8) & Linux.O_CLOEXEC)
                                .as(info)
                                .isNotZero();
                        seen++;
                    }
                }
            }
            assertThat(seen).isEqualTo(7);
        }
    }

    @Test
    void closeDuringReads_neverReadsAnotherFile() throws Exception {
        Path good = fileOf("good", "g".repeat(4096));
        Path other = fileOf("other", "x".repeat(4096));
        for (int round = 0; round < 200; round++) {
            ReadableFile readable = files.openForReading(good);
            CountDownLatch started = new CountDownLatch(1);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                ByteBuffer buffer = ByteBuffer.allocate(64);
                try {
                    while (true) {
                        buffer.clear();
                        int count = readable.read(0, buffer);
                        started.countDown();
                        assertThat(count).isEqualTo(64);
                        assertThat(buffer.get(0)).isEqualTo((byte) 'g');
                    }
                } catch (PosixException e) {
                    failure.set(e.errno() == Errno.EBADF && e.getMessage().contains("use after close") ? null : e);
                } catch (AssertionError e) {
                    failure.set(e);
                } finally {
                    started.countDown();
                }
            });
            reader.start();
            started.await();
            readable.close();
            ReadableFile sameNumber = files.openForReading(other);
            reader.join();
            sameNumber.close();
            assertThat(failure.get()).isNull();
        }
    }

    @Test
    void renameLinkAndRemove_behaveAsPromised() throws IOException {
        Path a = fileOf("a", "a");
        Path b = fileOf("b", "b");
        assertThat(files.link(a, b)).isFalse();
        assertThat(files.link(a, dir.resolve("c"))).isTrue();
        assertErrno(() -> files.link(dir.resolve("none"), dir.resolve("e")), Errno.ENOENT);
        files.rename(a, b);
        assertThat(Files.readString(b)).isEqualTo("a");
        assertErrno(() -> files.rename(a, b), Errno.ENOENT);
        Path d = Files.createDirectory(dir.resolve("d"));
        fileOf("d/x", "");
        assertErrno(() -> files.removeDirectory(d), Errno.ENOTEMPTY);
        assertThat(files.unlink(d.resolve("x"))).isTrue();
        assertThat(files.removeDirectory(d)).isTrue();
        assertThat(files.removeDirectory(d)).isFalse();
        assertErrno(() -> files.removeDirectory(b), Errno.ENOTDIR);
        assertErrno(() -> files.unlink(dir), Errno.EISDIR);
    }

    @Test
    void changeOwner_changesTheLinkItself() throws IOException {
        assumeThat(files.effectiveUid()).as("only root may give files away").isZero();
        Path target = fileOf("target", "");
        Path link = Files.createSymbolicLink(dir.resolve("link"), target);

        files.changeOwner(link, 1234, 2345);

        assertThat(files.stat(link, false, stat)).isTrue();
        assertThat(stat.uid()).isEqualTo(1234);
        assertThat(stat.gid()).isEqualTo(2345);
        assertThat(files.stat(target, false, stat)).isTrue();
        assertThat(stat.uid()).isZero();
    }

    @Test
    void spaceAndSync_work() throws IOException {
        FilesystemSpace space = files.space(dir);
        assertThat(space.totalBytes()).isEqualTo(Files.getFileStore(dir).getTotalSpace());
        assertThat(space.freeBytes()).isBetween(0L, space.totalBytes());
        assertThat(space.freeInodes()).isBetween(0L, space.totalInodes());
        assertErrno(() -> files.space(dir.resolve("none")), Errno.ENOENT);
        files.syncFilesystem(dir);
        assertErrno(() -> files.syncFilesystem(dir.resolve("none")), Errno.ENOENT);
    }

    @Test
    void accounts_areFoundInTheirFile() throws IOException {
        Path passwd =
                fileOf("passwd", "root:x:0:0::/:/bin/sh\nback:x:1:2\nbackup:x:34:35:b:/:/x\nbroken:x:y:z:::\n#x\n");
        assertThat(AccountFile.find(files, passwd, "backup")).containsExactly(34, 35);
        assertThat(AccountFile.find(files, passwd, "root")).containsExactly(0, 0);
        assertThat(AccountFile.find(files, passwd, "nobody")).isNull();
        assertThat(AccountFile.find(files, dir.resolve("none"), "root")).isNull();
        assertThatThrownBy(() -> AccountFile.find(files, passwd, "broken")).isInstanceOf(PosixException.class);
        assertThat(files.account("root")).containsExactly(0, 0);
    }

    @Test
    void missingFunctions_failTheBinding() {
        assertThatThrownBy(() -> Linux.requireFunctions(NotThere.class, "libc.so.6"))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("no_such_function_here");
        assertThatThrownBy(() -> Linux.requireFunctions(LinuxCalls.class, "libnosuch.so.9"))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("libnosuch.so.9");
    }

    interface NotThere {
        int no_such_function_here();
    }
}
