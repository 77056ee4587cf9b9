package dev.holdfast.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.posix.AtomicFile.Attributes;
import dev.holdfast.posix.AtomicFile.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    private static final Attributes PLAIN = new Attributes(FileOwner.UNCHANGED, 0644);

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path dir;

    private static ByteBuffer content(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private List<Path> everythingIn(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.toList();
        }
    }

    @Test
    void replace_createsAndReplaces() throws IOException {
        Path path = dir.resolve("file");
        for (Durability durability : Durability.values()) {
            ByteBuffer content = content("new " + durability);
            AtomicFile.replace(files, path, content, PLAIN, durability);
            assertThat(Files.readString(path)).isEqualTo("new " + durability);
            assertThat(content.position()).isZero();
        }
        assertThat(everythingIn(dir)).containsExactly(path);
        FileStat stat = new FileStat();
        assertThat(files.stat(path, false, stat)).isTrue();
        assertThat(stat.permissions()).isEqualTo(0644);
    }

    @Test
    void replaceWithNothing_givesAnEmptyFile() throws IOException {
        AtomicFile.replace(files, dir.resolve("file"), content(""), PLAIN, Durability.NONE);
        assertThat(dir.resolve("file")).isEmptyFile();
    }

    @Test
    void replaceOfLink_replacesTheLink() throws IOException {
        Path target = Files.writeString(dir.resolve("target"), "old");
        Path link = Files.createSymbolicLink(dir.resolve("link"), target);
        AtomicFile.replace(files, link, content("new"), PLAIN, Durability.NONE);
        assertThat(link).isRegularFile().hasContent("new");
        assertThat(target).hasContent("old");
    }

    @Test
    void replaceOfDirectory_failsAndLeavesNothing() throws IOException {
        Path target = Files.createDirectory(dir.resolve("target"));
        assertThatThrownBy(() -> AtomicFile.replace(files, target, content("x"), PLAIN, Durability.FSYNC))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EISDIR));
        assertThat(everythingIn(dir)).containsExactly(target);
    }

    @Test
    void replaceInMissingDirectory_isEnoent() {
        assertThatThrownBy(
                        () -> AtomicFile.replace(files, dir.resolve("no/file"), content("x"), PLAIN, Durability.NONE))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }

    @Test
    void replaceAsRoot_givesTheFileAway() throws IOException {
        assumeThat(files.effectiveUid()).as("only root may give files away").isZero();
        Path path = dir.resolve("file");
        AtomicFile.replace(files, path, content("x"), new Attributes(new FileOwner(34, 35), 0640), Durability.NONE);
        FileStat stat = new FileStat();
        assertThat(files.stat(path, false, stat)).isTrue();
        assertThat(List.of(stat.uid(), stat.gid(), stat.permissions())).containsExactly(34, 35, 0640);
    }
}
