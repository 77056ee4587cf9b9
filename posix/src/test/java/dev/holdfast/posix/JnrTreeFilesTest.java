package dev.holdfast.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JnrTreeFilesTest {

    private static final TreeFiles FILES = JnrTreeFiles.load();

    @TempDir
    Path base;

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private static void assumeRoot() {
        assumeTrue(JnrPosixFiles.load().effectiveUid() == 0, "needs root: makes devices and changes owners");
    }

    @Test
    void fileIsCreatedExclusively_andKeepsWhatWasWritten() throws IOException {
        try (TreeDirectory root = FILES.openRoot(base)) {
            try (TreeFile file = root.createFile(b("f"), 0640)) {
                file.write(3, ByteBuffer.wrap(b("abc")));
                file.truncate(10);
                file.changeTime(-2, 500_000_000);
            }
            try (TreeFile file = root.openFile(b("f"))) {
                ByteBuffer read = ByteBuffer.allocate(20);
                assertThat(file.read(0, read)).isEqualTo(10);
                FileStat stat = new FileStat();
                file.stat(stat);
                assertThat(stat.permissions()).isEqualTo(0640);
                assertThat(stat.modifySeconds()).isEqualTo(-2);
                assertThat(stat.modifyNanos()).isEqualTo(500_000_000);
            }
            assertErrno(Errno.EEXIST, () -> root.createFile(b("f"), 0600).close());
        }
        assertThat(Files.readAllBytes(base.resolve("f"))).containsSubsequence(b("abc"));
    }

    @Test
    void symbolicLink_isNeverFollowed() throws IOException {
        Files.createDirectory(base.resolve("real"));
        Files.writeString(base.resolve("secret"), "s");
        try (TreeDirectory root = FILES.openRoot(base)) {
            root.makeLink(b("dir"), b("real"));
            root.makeLink(b("file"), b("secret"));
            assertThatThrownBy(() -> root.openDirectory(b("dir")).close())
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isIn(Errno.ENOTDIR, Errno.ELOOP));
            assertErrno(Errno.ELOOP, () -> root.openFile(b("file")).close());
            FileStat stat = new FileStat();
            try (TreeNode link = root.openNode(b("file"))) {
                link.stat(stat);
                assertThat(stat.type()).isEqualTo(FileType.SYMLINK);
                assertThat(new String(link.readLink(), UTF_8)).isEqualTo("secret");
                link.changeTime(1234, 5);
            }
            root.stat(b("file"), stat);
            assertThat(stat.modifySeconds()).isEqualTo(1234);
            root.stat(b("secret"), stat);
            assertThat(stat.modifySeconds()).isNotEqualTo(1234);
        }
    }

    @Test
    void nameThatIsNotOneComponent_isRefused() throws IOException {
        try (TreeDirectory root = FILES.openRoot(base)) {
            for (String name : List.of("", ".", "..", "a/b", "/etc", "a\0b")) {
                assertThatThrownBy(() -> root.openNode(b(name)).close()).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void extendedAttributes_comeBack() throws IOException {
        try (TreeDirectory root = FILES.openRoot(base);
                TreeFile file = root.createFile(b("f"), 0600)) {
            try {
                file.setXattr(b("user.empty"), new byte[0]);
            } catch (PosixException e) {
                assumeTrue(e.errno() != Errno.EOPNOTSUPP, "needs a filesystem with extended attributes");
                throw e;
            }
            byte[] large = new byte[2000];
            large[7] = 7;
            file.setXattr(b("user.large"), large);
            List<String> names = new ArrayList<>();
            file.xattrNames().forEach(n -> names.add(new String(n, UTF_8)));
            assertThat(names).containsExactlyInAnyOrder("user.empty", "user.large");
            assertThat(file.xattr(b("user.empty"))).isEmpty();
            assertThat(file.xattr(b("user.large"))).isEqualTo(large);
            assertThat(file.xattr(b("user.none"))).isNull();
            assertThat(file.removeXattr(b("user.empty"))).isTrue();
            assertThat(file.removeXattr(b("user.empty"))).isFalse();
        }
    }

    @Test
    void nodes_haveTheirTypesNumbersAndOwners() throws IOException {
        assumeRoot();
        try (TreeDirectory root = FILES.openRoot(base)) {
            root.makeNode(b("null"), 0020600, 1, 3);
            root.makeNode(b("fifo"), 0010600, 0, 0);
            root.makeNode(b("sock"), 0140600, 0, 0);
            root.makeLink(b("link"), b("nowhere"));
            FileStat stat = new FileStat();
            root.stat(b("null"), stat);
            assertThat(stat.type()).isEqualTo(FileType.CHARACTER_DEVICE);
            assertThat(stat.rdev()).isEqualTo(0x103);
            root.stat(b("sock"), stat);
            assertThat(stat.type()).isEqualTo(FileType.SOCKET);
            try (TreeNode fifo = root.openNode(b("fifo"));
                    TreeNode link = root.openNode(b("link"))) {
                fifo.changeMode(0621);
                fifo.changeOwner(1234, 2345);
                fifo.stat(stat);
                assertThat(stat.mode()).isEqualTo(0010621);
                assertThat(stat.uid()).isEqualTo(1234);
                link.changeOwner(77, 88);
                link.setXattr(b("trusted.t"), b("v"));
                link.stat(stat);
                assertThat(stat.gid()).isEqualTo(88);
                assertThat(link.xattr(b("trusted.t"))).isEqualTo(b("v"));
            }
        }
    }

    @Test
    void hardLink_isASecondNameAndDirectoriesNest() throws IOException {
        try (TreeDirectory root = FILES.openRoot(base)) {
            root.makeDirectory(b("d"), 0700);
            root.createFile(b("f"), 0600).close();
            try (TreeDirectory d = root.openDirectory(b("d"))) {
                d.hardLink(root, b("f"), b("g"));
                DirectoryEntry only = d.next();
                assertThat(only).isNotNull();
                assertThat(only.text()).isEqualTo("g");
                assertThat(d.next()).isNull();
                FileStat stat = new FileStat();
                d.stat(b("g"), stat);
                assertThat(stat.links()).isEqualTo(2);
                assertThat(d.unlink(b("g"))).isTrue();
                assertThat(d.unlink(b("g"))).isFalse();
                assertErrno(Errno.EEXIST, () -> root.makeDirectory(b("f"), 0700));
            }
        }
    }

    @Test
    void attributesOfAFile_areReadAndAdded() throws IOException {
        assumeRoot();
        try (TreeDirectory root = FILES.openRoot(base);
                TreeFile file = root.createFile(b("f"), 0600)) {
            int before = file.attributes();
            assumeTrue(before != 0, "needs a filesystem with attributes, such as ext4");
            file.addAttributes(0x40); // no dump
            assertThat(file.attributes()).isEqualTo(before | 0x40);
            assertThat(file.projectId()).isZero();
        }
    }

    @Test
    void closedHandle_saysSo() throws IOException {
        TreeDirectory root = FILES.openRoot(base);
        root.close();
        root.close();
        assertErrno(Errno.EBADF, () -> root.openNode(b("x")).close());
    }

    private static void assertErrno(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
