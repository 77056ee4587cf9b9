package dev.holdfast.archive.tree;

import static dev.holdfast.archive.tree.Trees.FILES;
import static dev.holdfast.archive.tree.Trees.b;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.ByteSource;
import dev.holdfast.archive.Vectors;
import dev.holdfast.archive.pxar.EntryMetadata;
import dev.holdfast.archive.pxar.EntryStat;
import dev.holdfast.archive.pxar.EntryTime;
import dev.holdfast.archive.pxar.LinkTarget;
import dev.holdfast.archive.pxar.PxarEncoder;
import dev.holdfast.archive.pxar.PxarLimits;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.archive.tree.RestoreRefusedException.Reason;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that mean harm, and targets that are in the way. */
class TreeRestorerTest {

    @TempDir
    Path base;

    private Path outside;
    private Path target;

    @BeforeEach
    void makeOutside() throws IOException {
        outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve("victim"), "untouched");
        target = base.resolve("target");
    }

    /** Files that came out immutable would keep the directory from being removed. */
    @AfterEach
    void freeTarget() {
        Trees.free(target);
    }

    private interface Children {
        void write(PxarEncoder encoder) throws IOException;
    }

    private static EntryMetadata metadata(int mode) {
        return EntryMetadata.of(new EntryStat(
                mode,
                0,
                Integer.toUnsignedLong(JnrPosixFiles.load().effectiveUid()),
                Integer.toUnsignedLong(JnrPosixFiles.load().effectiveGid()),
                new EntryTime(1_700_000_000, 0)));
    }

    private static byte[] bytes(Children children) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PxarEncoder encoder = PxarEncoder.version1(out);
        encoder.startRoot(metadata(0040755));
        children.write(encoder);
        encoder.endDirectory();
        return out.toByteArray();
    }

    private static PxarReader reader(byte[] archive) throws IOException {
        return PxarReader.open(new ArrayByteSource(archive), null, PxarLimits.DEFAULT);
    }

    private static LinkTarget file(PxarEncoder encoder, String name, String content) throws IOException {
        encoder.startFile(b(name), metadata(0100644), content.length());
        LinkTarget link = encoder.linkTarget();
        encoder.write(b(content), 0, content.length());
        encoder.endFile();
        return link;
    }

    private void assertRefused(byte[] archive, ExistingTargets existing, Reason reason) {
        assertThatThrownBy(() -> Trees.restore(reader(archive), target, existing))
                .isInstanceOfSatisfying(
                        RestoreRefusedException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
        assertOutsideIsUntouched();
    }

    private void assertOutsideIsUntouched() {
        try (Stream<Path> all = Files.list(outside)) {
            assertThat(all.map(p -> p.getFileName().toString())).containsExactly("victim");
            assertThat(outside.resolve("victim")).hasContent("untouched");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REFUSE", "OVERWRITE"})
    void linkThatTheArchivePlants_isNotWrittenThrough(ExistingTargets existing) throws IOException {
        byte[] archive = bytes(encoder -> {
            encoder.symlink(b("a"), metadata(0120777), b(outside.toString()));
            encoder.startDirectory(b("a"), metadata(0040755));
            file(encoder, "planted", "x");
            encoder.endDirectory();
        });
        assertRefused(archive, existing, Reason.DUPLICATE_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REFUSE", "OVERWRITE"})
    void fileUnderTheNameOfAPlantedLink_isNotWrittenThrough(ExistingTargets existing) throws IOException {
        byte[] archive = bytes(encoder -> {
            encoder.symlink(
                    b("a"), metadata(0120777), b(outside.resolve("victim").toString()));
            file(encoder, "a", "x");
        });
        assertRefused(archive, existing, Reason.DUPLICATE_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../outside/victim", "d/../f", "./f", "d//f", "f/", "l/victim", "nowhere"})
    void hardLinkToAnythingButAnEarlierFile_isRefused(String path) throws IOException {
        byte[] archive = bytes(encoder -> {
            encoder.startDirectory(b("d"), metadata(0040755));
            encoder.endDirectory();
            LinkTarget file = file(encoder, "f", "x");
            encoder.symlink(b("l"), metadata(0120777), b(outside.toString()));
            encoder.hardLink(b("z"), new LinkTarget(b(path), file.filename()));
        });
        assertRefused(archive, ExistingTargets.REFUSE, Reason.BAD_HARD_LINK);
        assertThat(target.resolve("z")).doesNotExist();
    }

    @Test
    void hardLinkToAFileThatWasThereBefore_isRefused() throws IOException {
        Files.createDirectory(target);
        Files.writeString(target.resolve("private"), "of somebody else");
        byte[] archive = bytes(encoder -> {
            LinkTarget file = file(encoder, "f", "x");
            encoder.hardLink(b("z"), new LinkTarget(b("private"), file.filename()));
        });
        assertRefused(archive, ExistingTargets.OVERWRITE, Reason.BAD_HARD_LINK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2f", "00"})
    void nameWithSlashOrNul_isRefused(String hex) throws IOException {
        byte[] archive = bytes(encoder -> file(encoder, "aXb", "x"));
        for (int i = 0; i < archive.length; i++) {
            if (archive[i] == 'X') {
                archive[i] = Vectors.unhex(hex)[0];
            }
        }
        assertThatThrownBy(() -> Trees.restore(reader(archive), target, ExistingTargets.REFUSE))
                .isInstanceOf(ArchiveFormatException.class);
    }

    @Test
    void modeWithForeignBits_isRefused() throws IOException {
        byte[] archive = bytes(encoder -> file(encoder, "f", "x"));
        int entry = 56 + 16 + 2;
        ByteBuffer words = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        words.putLong(entry + 16, words.getLong(entry + 16) | 1L << 40);
        assertRefused(archive, ExistingTargets.REFUSE, Reason.BAD_METADATA);
    }

    @Test
    void linkTargetWithNul_isRefused() throws IOException {
        byte[] archive = bytes(encoder -> encoder.symlink(b("l"), metadata(0120777), b("aXb")));
        for (int i = 0; i < archive.length; i++) {
            if (archive[i] == 'X') {
                archive[i] = 0;
            }
        }
        assertRefused(archive, ExistingTargets.REFUSE, Reason.BAD_METADATA);
    }

    @Test
    void existingFile_isRefusedUnlessOverwritingWasAskedFor() throws IOException {
        Files.createDirectory(target);
        Files.writeString(target.resolve("f"), "old");
        byte[] archive = bytes(encoder -> file(encoder, "f", "new"));
        assertRefused(archive, ExistingTargets.REFUSE, Reason.EXISTS);
        assertThat(target.resolve("f")).hasContent("old");
        assertThat(Trees.restore(reader(archive), target, ExistingTargets.OVERWRITE))
                .isEmpty();
        assertThat(target.resolve("f")).hasContent("new");
    }

    @Test
    void existingDirectory_isRefusedUnlessOverwritingWasAskedFor() throws IOException {
        Files.createDirectories(target.resolve("d"));
        byte[] archive = bytes(encoder -> {
            encoder.startDirectory(b("d"), metadata(0040755));
            encoder.endDirectory();
        });
        assertRefused(archive, ExistingTargets.REFUSE, Reason.EXISTS);
        assertThat(Trees.restore(reader(archive), target, ExistingTargets.OVERWRITE))
                .isEmpty();
    }

    @Test
    void existingDirectoryInPlaceOfAFile_isNeverRemoved() throws IOException {
        Files.createDirectories(target.resolve("f"));
        assertRefused(
                bytes(encoder -> file(encoder, "f", "x")), ExistingTargets.OVERWRITE, Reason.DIRECTORY_IN_THE_WAY);
    }

    @Test
    void existingLinks_areReplacedAndNotFollowed() throws IOException {
        Files.createDirectory(target);
        Files.createSymbolicLink(target.resolve("d"), outside);
        Files.createSymbolicLink(target.resolve("f"), outside.resolve("victim"));
        Files.createLink(target.resolve("h"), outside.resolve("victim"));
        byte[] archive = bytes(encoder -> {
            encoder.startDirectory(b("d"), metadata(0040700));
            file(encoder, "x", "x");
            encoder.endDirectory();
            file(encoder, "f", "new");
            file(encoder, "h", "new");
        });
        assertThat(Trees.restore(reader(archive), target, ExistingTargets.OVERWRITE))
                .isEmpty();
        assertOutsideIsUntouched();
        assertThat(Files.isDirectory(target.resolve("d"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        assertThat(target.resolve("d/x")).hasContent("x");
        assertThat(Files.isSymbolicLink(target.resolve("f"))).isFalse();
    }

    @Test
    void part_isRestoredUnderItsPathAndLinksBecomeCopiesWhereTheyMust() throws IOException {
        byte[] archive = bytes(encoder -> {
            encoder.startDirectory(b("a"), metadata(0040750));
            LinkTarget file = file(encoder, "f", "shared");
            encoder.hardLink(b("g"), file);
            encoder.endDirectory();
            encoder.startDirectory(b("b"), metadata(0040700));
            encoder.hardLink(b("h"), file);
            encoder.hardLink(b("i"), file);
            file(encoder, "other", "o");
            encoder.endDirectory();
        });
        List<String> problems = new ArrayList<>();
        RestoreSummary summary = new TreeRestorer(
                        reader(archive), ExistingTargets.REFUSE, (p, path, detail) -> problems.add(p + " " + path))
                .restore(FILES, target, List.of(b("/b/h"), b("a/g"), b("a/f")));
        assertThat(problems).isEmpty();
        assertThat(Files.getAttribute(target.resolve("b/h"), "unix:nlink")).isEqualTo(3);
        assertThat(target.resolve("b/i")).doesNotExist();
        assertThat(target.resolve("b/other")).doesNotExist();
        assertThat(Files.getLastModifiedTime(target.resolve("a"))).isEqualTo(FileTime.fromMillis(1_700_000_000_000L));
        assertThat(summary.entries()).isEqualTo(5);

        Path second = base.resolve("second");
        new TreeRestorer(reader(archive), ExistingTargets.REFUSE, (p, path, detail) -> problems.add(p + " " + path))
                .restore(FILES, second, List.of(b("b/h")));
        assertThat(problems).containsExactly("LINK_BECAME_COPY " + second + "/b/h");
        assertThat(second.resolve("b/h")).hasContent("shared");
        assertThat(second.resolve("a")).doesNotExist();
    }

    @Test
    void pathThatIsNotThere_isRefusedBeforeAnythingIsWritten() throws IOException {
        byte[] archive = bytes(encoder -> file(encoder, "f", "x"));
        assertThatThrownBy(() -> new TreeRestorer(reader(archive), ExistingTargets.REFUSE, (p, path, detail) -> {})
                        .restore(FILES, target, List.of(b("f"), b("f/g"))))
                .isInstanceOfSatisfying(
                        RestoreRefusedException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.NOT_IN_ARCHIVE));
        assertThat(target).doesNotExist();
    }

    @Test
    void listsThatTheTargetHandsDown_areNotKept() throws IOException {
        Files.createDirectories(target.resolve("found"));
        try (TreeDirectory root = FILES.openRoot(target);
                TreeDirectory found = root.openDirectory(b("found"))) {
            try {
                root.setXattr(PosixAcl.DEFAULT, Trees.DEFAULT_LIST);
                found.setXattr(PosixAcl.DEFAULT, Trees.DEFAULT_LIST);
            } catch (PosixException e) {
                assumeTrue(false, "needs a filesystem with access control lists");
            }
        }
        byte[] archive = bytes(encoder -> {
            encoder.startDirectory(b("d"), metadata(0040750));
            file(encoder, "x", "x");
            encoder.endDirectory();
            encoder.startDirectory(b("found"), metadata(0040750));
            file(encoder, "x", "x");
            encoder.endDirectory();
            file(encoder, "z", "x");
        });
        assertThat(Trees.restore(reader(archive), target, ExistingTargets.OVERWRITE))
                .isEmpty();
        assertThat(Vectors.hex(Trees.archive(target, ArchiveOptions.DEFAULT).archive()))
                .isEqualTo(Vectors.hex(archive));
    }

    @Test
    void contentsCutOff_endTheRestoreWithAnError() throws IOException {
        byte[] archive = bytes(encoder -> file(encoder, "f", "0123456789"));
        ArrayByteSource whole = new ArrayByteSource(archive);
        int content = 56 + 18 + 56 + 16;
        ByteSource cut = new ByteSource() {
            @Override
            public long size() {
                return whole.size();
            }

            @Override
            public int read(long position, byte[] buffer, int offset, int length) {
                boolean gone = position >= content + 4 && position < content + 10;
                return gone ? -1 : whole.read(position, buffer, offset, Math.min(length, 2));
            }
        };
        PxarReader reader = PxarReader.open(cut, null, PxarLimits.DEFAULT);
        assertThatThrownBy(() -> Trees.restore(reader, target, ExistingTargets.REFUSE))
                .isInstanceOf(ArchiveFormatException.class);
    }

    /** Whatever the damage does to a golden archive, nothing appears beside the target. */
    @RepeatedTest(60)
    void damagedArchive_isRestoredInsideOrRefused() throws IOException {
        Trees.withSeed(this::restoreDamaged);
    }

    private void restoreDamaged(long seed) throws IOException {
        assumeTrue(JnrPosixFiles.load().effectiveUid() == 0, "needs root: restores owners and devices");
        Random random = new Random(seed);
        byte[] archive = Vectors.bytes("pxar/" + (random.nextBoolean() ? "tiny" : "many") + "-v1.pxar");
        for (int n = random.nextInt(4); n >= 0; n--) {
            archive[random.nextInt(archive.length)] ^= (byte) (1 << random.nextInt(8));
        }
        try {
            Trees.restore(reader(archive), target, ExistingTargets.OVERWRITE);
        } catch (ArchiveFormatException | RestoreRefusedException | PosixException e) {
            assertThat(e.getMessage()).as("seed %d", seed).isNotEmpty();
        }
        assertOutsideIsUntouched();
        try (Stream<Path> all = Files.list(base)) {
            assertThat(all.map(p -> p.getFileName().toString()))
                    .as("seed %d", seed)
                    .isSubsetOf("outside", "target");
        }
    }
}
