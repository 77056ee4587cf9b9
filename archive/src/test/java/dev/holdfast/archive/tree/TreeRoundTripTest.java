package dev.holdfast.archive.tree;

import static dev.holdfast.archive.tree.Trees.FILES;
import static dev.holdfast.archive.tree.Trees.b;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import dev.holdfast.archive.catalog.CatalogEntry;
import dev.holdfast.archive.catalog.CatalogReader;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.PxarDecoder;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeRoundTripTest {

    @TempDir
    Path base;

    private static boolean isRoot() {
        return JnrPosixFiles.load().effectiveUid() == 0;
    }

    /** Archive, restore, archive again: the second archive must equal the first one byte for byte. */
    @RepeatedTest(25)
    void randomTree_isTheSameAfterARestore() throws IOException {
        Trees.withSeed(this::archiveRestoreAndArchiveAgain);
    }

    private void archiveRestoreAndArchiveAgain(long seed) throws IOException {
        Path source = Files.createDirectory(base.resolve("source"));
        try (TreeDirectory root = FILES.openRoot(source)) {
            Trees.fill(root, new Random(seed), isRoot(), 0);
        }
        Trees.Archived first = Trees.archive(source, ArchiveOptions.DEFAULT);
        assertThat(first.problems()).as("seed %d", seed).isEmpty();

        Path target = base.resolve("target");
        assertThat(Trees.restore(first.reader(), target, ExistingTargets.REFUSE))
                .as("seed %d", seed)
                .isEmpty();
        Trees.Archived second = Trees.archive(target, ArchiveOptions.DEFAULT);
        assertThat(Vectors.hex(second.archive())).as("seed %d", seed).isEqualTo(Vectors.hex(first.archive()));
        assertThat(second.catalog()).as("seed %d", seed).isEqualTo(first.catalog());

        // Once more over what is there: everything is replaced, nothing is lost.
        assertThat(Trees.restore(first.reader(), target, ExistingTargets.OVERWRITE))
                .as("seed %d", seed)
                .isEmpty();
        assertThat(Trees.archive(target, ArchiveOptions.DEFAULT).archive())
                .as("seed %d", seed)
                .isEqualTo(first.archive());
    }

    @RepeatedTest(10)
    void randomEntryOfATree_isRestoredWithTheDirectoriesAboveIt() throws IOException {
        Trees.withSeed(this::restoreOneEntry);
    }

    private void restoreOneEntry(long seed) throws IOException {
        Random random = new Random(seed);
        Path source = Files.createDirectory(base.resolve("source"));
        try (TreeDirectory root = FILES.openRoot(source)) {
            Trees.fill(root, random, isRoot(), 0);
            Trees.file(root, "zzz", b("always one"));
        }
        PxarReader reader = Trees.archive(source, ArchiveOptions.DEFAULT).reader();
        List<byte[]> paths = paths(reader);
        byte[] path = paths.get(random.nextInt(paths.size()));
        List<String> problems = new ArrayList<>();
        new TreeRestorer(reader, ExistingTargets.REFUSE, (p, where, detail) -> {
                    if (p != RestoreProblem.LINK_BECAME_COPY) {
                        problems.add(where + " " + detail);
                    }
                })
                .restore(FILES, base.resolve("part"), List.of(path));
        assertThat(problems).as("seed %d", seed).isEmpty();

        PxarReader part =
                Trees.archive(base.resolve("part"), ArchiveOptions.DEFAULT).reader();
        PxarEntry wanted = reader.lookup(path);
        PxarEntry found = part.lookup(path);
        assertThat(found).as("seed %d", seed).isNotNull();
        PxarEntry described = wanted.kind() == EntryKind.HARD_LINK ? reader.target(wanted) : wanted;
        PxarEntry got = found.kind() == EntryKind.HARD_LINK ? part.target(found) : found;
        assertThat(got.kind()).as("seed %d", seed).isEqualTo(described.kind());
        assertThat(got.metadata().stat())
                .as("seed %d", seed)
                .isEqualTo(described.metadata().stat());
        if (got.kind() == EntryKind.DIRECTORY) {
            assertThat(part.directory(got).count())
                    .isEqualTo(reader.directory(described).count());
        }
    }

    private static List<byte[]> paths(PxarReader reader) throws IOException {
        List<byte[]> paths = new ArrayList<>();
        List<byte[]> parents = new ArrayList<>();
        PxarDecoder decoder = reader.stream(reader.root().entry());
        for (PxarDecoder.Step step = decoder.next(); step != PxarDecoder.Step.END; step = decoder.next()) {
            if (step == PxarDecoder.Step.DIRECTORY_END) {
                if (!parents.isEmpty()) {
                    parents.remove(parents.size() - 1);
                }
            } else if (!decoder.entry().isRoot()) {
                byte[] name = decoder.entry().name();
                byte[] parent = parents.isEmpty() ? new byte[0] : parents.get(parents.size() - 1);
                byte[] path = ByteBuffer.allocate(parent.length + 1 + name.length)
                        .put(parent)
                        .put((byte) '/')
                        .put(name)
                        .array();
                paths.add(path);
                if (decoder.entry().kind() == EntryKind.DIRECTORY) {
                    parents.add(path);
                }
            }
        }
        return paths;
    }

    @Test
    void goldenArchive_isRestoredAndArchivedToTheSameBytes() throws IOException {
        assumeTrue(isRoot(), "needs root: restores owners and devices");
        for (String name : List.of("tiny-v1", "many-v1", "empty-v1")) {
            byte[] golden = Vectors.bytes("pxar/" + name + ".pxar");
            PxarReader reader = new Trees.Archived(golden, golden, List.of(), new ArchiveSummary(0, 0, 0)).reader();
            Path target = base.resolve(name);
            assertThat(Trees.restore(reader, target, ExistingTargets.REFUSE)).isEmpty();
            assertThat(Vectors.hex(Trees.archive(target, ArchiveOptions.DEFAULT).archive()))
                    .as(name)
                    .isEqualTo(Vectors.hex(golden));
        }
    }

    @Test
    void goldenArchiveOfEverything_losesOnlyWhatTheMachineCannotHold() throws IOException {
        assumeTrue(isRoot(), "needs root: restores owners and devices");
        byte[] golden = Vectors.bytes("pxar/full-v1.pxar");
        PxarReader reader = new Trees.Archived(golden, golden, List.of(), new ArchiveSummary(0, 0, 0)).reader();
        Path target = base.resolve("full");
        List<String> problems = Trees.restore(reader, target, ExistingTargets.REFUSE);
        try {
            // A device number beyond Linux's range, attribute bits and a quota project of other filesystems.
            assertThat(problems)
                    .allMatch(p -> p.startsWith("NOT_CREATED " + target + "/chr")
                            || p.contains("attributes not restored")
                            || p.contains("quota project not restored"));
            Trees.Archived again = Trees.archive(target, ArchiveOptions.DEFAULT);
            PxarReader second = again.reader();
            for (byte[] path : paths(reader)) {
                PxarEntry wanted = reader.lookup(path);
                PxarEntry found = second.lookup(path);
                if (wanted.text().startsWith(".pxarexclude-cli") || wanted.kind() == EntryKind.CHARACTER_DEVICE) {
                    continue;
                }
                assertThat(found).as(wanted.text()).isNotNull();
                assertThat(found.kind()).isEqualTo(wanted.kind());
                if (wanted.kind() != EntryKind.HARD_LINK) {
                    assertThat(found.metadata().acl())
                            .as(wanted.text())
                            .isEqualTo(wanted.metadata().acl());
                    assertThat(found.metadata().xattrs())
                            .hasSameSizeAs(wanted.metadata().xattrs());
                    assertThat(found.metadata().fcaps())
                            .isEqualTo(wanted.metadata().fcaps());
                    assertThat(found.metadata().stat().mtime())
                            .isEqualTo(wanted.metadata().stat().mtime());
                    assertThat(found.metadata().stat().mode())
                            .isEqualTo(wanted.metadata().stat().mode());
                }
            }
        } finally {
            Trees.free(target);
        }
    }

    @Test
    void hole_staysAHole() throws IOException {
        Path source = Files.createDirectory(base.resolve("source"));
        long size = 64L << 20;
        try (TreeDirectory root = FILES.openRoot(source);
                TreeFile file = root.createFile(b("sparse"), 0600)) {
            file.write(20 << 20, ByteBuffer.wrap(b("island")));
            file.truncate(size);
        }
        Path target = base.resolve("target");
        Trees.restore(Trees.archive(source, ArchiveOptions.DEFAULT).reader(), target, ExistingTargets.REFUSE);
        assertThat(Files.size(target.resolve("sparse"))).isEqualTo(size);
        assertThat(Files.mismatch(source.resolve("sparse"), target.resolve("sparse")))
                .isEqualTo(-1);
        assertThat(diskUsage(target.resolve("sparse"))).isLessThan(1 << 20);
    }

    private static long diskUsage(Path path) throws IOException {
        Process du = new ProcessBuilder("du", "-B1", path.toString()).start();
        String out = new String(du.getInputStream().readAllBytes(), UTF_8);
        return Long.parseLong(out.substring(0, out.indexOf('\t')));
    }

    @Test
    void catalogue_listsWhatTheArchiveHolds() throws IOException {
        Path source = Files.createDirectory(base.resolve("source"));
        try (TreeDirectory root = FILES.openRoot(source)) {
            root.makeDirectory(b("d"), 0700);
            try (TreeDirectory d = root.openDirectory(b("d"))) {
                Trees.file(d, "f", b("12345"));
                d.hardLink(d, b("f"), b("g"));
                d.makeLink(b("l"), b("f"));
            }
        }
        Trees.Archived archived =
                Trees.archive(source, ArchiveOptions.DEFAULT.withExcludes(List.of(ExcludePattern.parse("!x"))));
        CatalogReader catalog = CatalogReader.open(new ArrayByteSource(archived.catalog()));
        CatalogEntry file = catalog.lookup(b("root.pxar.didx/d/f"));
        assertThat(file.size()).isEqualTo(5);
        assertThat(catalog.lookup(b("root.pxar.didx/d/g")).type().letter()).isEqualTo('h');
        assertThat(catalog.lookup(b("root.pxar.didx/d/l")).type().letter()).isEqualTo('l');
        assertThat(catalog.lookup(b("root.pxar.didx/.pxarexclude-cli")).size()).isEqualTo(3);
        assertThat(archived.summary().entries()).isEqualTo(6);
    }
}
