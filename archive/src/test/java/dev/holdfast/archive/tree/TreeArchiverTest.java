package dev.holdfast.archive.tree;

import static dev.holdfast.archive.tree.Trees.FILES;
import static dev.holdfast.archive.tree.Trees.b;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.archive.SourceInputStream;
import dev.holdfast.archive.pxar.EntryKind;
import dev.holdfast.archive.pxar.PxarEntry;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import dev.holdfast.posix.TreeFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeArchiverTest {

    @TempDir
    Path base;

    private Path source;
    private final List<String> problems = new ArrayList<>();

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(base.resolve("source"));
    }

    /** Something done to the tree while it is read: once, when the walk has come that far. */
    private interface Disturbance {
        boolean isDue(long entries, long bytes);

        void act() throws IOException;
    }

    private Trees.Archived archiveWith(TreeFiles files, Disturbance disturbance) throws IOException {
        return Trees.archive(
                files,
                source,
                ArchiveOptions.DEFAULT,
                new ArchiveListener() {
                    private boolean done;

                    @Override
                    public void problem(ArchiveProblem problem, String path, String detail) {
                        problems.add(problem + " " + source.relativize(Path.of(path)) + ": " + detail);
                    }

                    @Override
                    public void progress(long entries, long bytes) throws IOException {
                        if (!done && disturbance.isDue(entries, bytes)) {
                            done = true;
                            disturbance.act();
                        }
                    }
                },
                problems);
    }

    private static Disturbance when(long entries, long bytes, ThrowingRunnable act) {
        return new Disturbance() {
            @Override
            public boolean isDue(long e, long by) {
                return e >= entries && by >= bytes;
            }

            @Override
            public void act() throws IOException {
                act.run();
            }
        };
    }

    private interface ThrowingRunnable {
        void run() throws IOException;
    }

    private static final Disturbance NONE = when(Long.MAX_VALUE, 0, () -> {});

    private static byte[] content(PxarReader reader, String path) throws IOException {
        PxarEntry entry = reader.lookup(b(path));
        assertThat(entry).as(path).isNotNull();
        var content = reader.content(entry);
        return new SourceInputStream(content, 0, content.size()).readAllBytes();
    }

    /** A door that fails on opening certain files, or on reading them. */
    private static TreeFiles failing(String name, Errno errno, boolean onRead) {
        return new TreeFiles() {
            @Override
            public TreeDirectory openRoot(Path path) throws PosixException {
                return directory(FILES.openRoot(path));
            }

            @Override
            public TreeDirectory makeRoot(Path path) throws PosixException {
                return directory(FILES.makeRoot(path));
            }

            private TreeDirectory directory(TreeDirectory real) {
                return proxy(TreeDirectory.class, real, (method, args, result) -> {
                    boolean hit = args != null && args[0] instanceof byte[] n && Arrays.equals(n, b(name));
                    if (hit && method.startsWith("open") && !onRead) {
                        throw new PosixException(method, name, errno.number());
                    }
                    Object opened = result.get();
                    return hit && opened instanceof TreeFile file ? file(file) : opened;
                });
            }

            private TreeFile file(TreeFile real) {
                return proxy(TreeFile.class, real, (method, args, result) -> {
                    if (method.equals("read")) {
                        throw new PosixException(method, name, errno.number());
                    }
                    return result.get();
                });
            }
        };
    }

    private interface Call {
        Object on(String method, Object[] args, Result result) throws Throwable;
    }

    private interface Result {
        Object get() throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T real, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> call.on(method.getName(), args, () -> {
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }

    @Test
    void fileThatCannotBeOpened_isReportedAndTheRestIsThere() throws IOException {
        Files.writeString(source.resolve("a"), "a");
        Files.writeString(source.resolve("b"), "b");
        Files.writeString(source.resolve("c"), "c");
        PxarReader reader = archiveWith(failing("b", Errno.EACCES, false), NONE).reader();
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("UNREADABLE b: ")
                .contains("EACCES");
        assertThat(reader.lookup(b("b"))).isNull();
        assertThat(content(reader, "c")).isEqualTo(b("c"));
    }

    @Test
    void directoryThatCannotBeOpened_isReportedAndLeftOut() throws IOException {
        Files.createDirectories(source.resolve("d/e"));
        Files.writeString(source.resolve("z"), "z");
        PxarReader reader = archiveWith(failing("d", Errno.EIO, false), NONE).reader();
        assertThat(problems).singleElement().asString().startsWith("UNREADABLE d: ");
        assertThat(reader.lookup(b("d"))).isNull();
        assertThat(reader.lookup(b("z"))).isNotNull();
    }

    @Test
    void lackOfDescriptors_endsTheBackup() throws IOException {
        Files.createDirectories(source.resolve("d"));
        assertThatThrownBy(() -> archiveWith(failing("d", Errno.EMFILE, false), NONE))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EMFILE));
    }

    @Test
    void contentsThatTheDiskDoesNotGive_endTheBackup() throws IOException {
        Files.writeString(source.resolve("f"), "content");
        assertThatThrownBy(() -> archiveWith(failing("f", Errno.EIO, true), NONE))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
    }

    @Test
    void fileThatShrinks_isFilledUpWithZerosAndReported() throws IOException {
        Path file = source.resolve("f");
        byte[] content = new byte[3 << 20];
        Arrays.fill(content, (byte) 'x');
        Files.write(file, content);
        Files.writeString(source.resolve("g"), "after");
        PxarReader reader = archiveWith(FILES, when(1, 1 << 20, () -> {
                    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
                        channel.truncate((1 << 20) + 5);
                    }
                }))
                .reader();
        assertThat(problems).singleElement().asString().startsWith("CHANGED_WHILE_READ f: it shrank");
        byte[] kept = content(reader, "f");
        assertThat(kept).hasSize(3 << 20);
        assertThat(kept[(1 << 20) + 4]).isEqualTo((byte) 'x');
        assertThat(kept[(1 << 20) + 5]).isZero();
        assertThat(content(reader, "g")).isEqualTo(b("after"));
    }

    @Test
    void fileThatGrows_isCutAndReported() throws IOException {
        Path file = source.resolve("f");
        Files.write(file, new byte[2 << 20]);
        PxarReader reader = archiveWith(
                        FILES, when(1, 1 << 20, () -> Files.writeString(file, "more", StandardOpenOption.APPEND)))
                .reader();
        assertThat(problems).singleElement().asString().startsWith("CHANGED_WHILE_READ f: it grew");
        assertThat(content(reader, "f")).hasSize(2 << 20);
    }

    @Test
    void entryThatVanishes_isReported() throws IOException {
        Files.writeString(source.resolve("a"), "a");
        Files.writeString(source.resolve("b"), "b");
        PxarReader reader = archiveWith(FILES, when(2, 0, () -> Files.delete(source.resolve("b"))))
                .reader();
        assertThat(problems).singleElement().asString().startsWith("VANISHED b");
        assertThat(reader.lookup(b("a"))).isNotNull();
        assertThat(reader.lookup(b("b"))).isNull();
    }

    /** The walk is inside of d when d is moved away and a link to another place takes its name. */
    @Test
    void directoryReplacedByALink_doesNotLeadTheWalkOut() throws IOException {
        Path outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve("x"), "secret");
        Files.createDirectories(source.resolve("d/e"));
        Files.writeString(source.resolve("d/e/x"), "inside");
        Files.writeString(source.resolve("d/x"), "inside");
        PxarReader reader = archiveWith(FILES, when(2, 0, () -> {
                    Files.move(source.resolve("d"), base.resolve("moved"));
                    Files.createSymbolicLink(source.resolve("d"), outside);
                    Files.move(base.resolve("moved/e"), base.resolve("moved-e"));
                    Files.createSymbolicLink(base.resolve("moved/e"), outside);
                }))
                .reader();
        assertThat(content(reader, "d/x")).isEqualTo(b("inside"));
        // The link that took the place of e is archived as what it is now: a link.
        assertThat(reader.lookup(b("d/e")).kind()).isEqualTo(EntryKind.SYMLINK);
        assertThat(reader.lookup(b("d/e/x"))).isNull();
    }

    @Test
    void otherFilesystem_isNotEnteredUnlessAskedFor() throws IOException {
        assumeTrue(JnrPosixFiles.load().effectiveUid() == 0, "needs root: mounts a filesystem");
        Path mount = Files.createDirectory(source.resolve("m"));
        Process mounting = new ProcessBuilder("mount", "-t", "tmpfs", "none", mount.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mounting.onExit().join().exitValue() == 0, "needs the right to mount");
        try {
            Files.writeString(mount.resolve("f"), "elsewhere");
            PxarReader reader = archiveWith(FILES, NONE).reader();
            assertThat(reader.directory(reader.lookup(b("m"))).count()).isZero();
            ArchiveOptions cross = new ArchiveOptions(List.of(), ArchiveOptions.Mounts.CROSS, 1000, 100);
            assertThat(content(Trees.archive(source, cross).reader(), "m/f")).isEqualTo(b("elsewhere"));
        } finally {
            assertThat(new ProcessBuilder("umount", mount.toString())
                            .start()
                            .onExit()
                            .join()
                            .exitValue())
                    .isZero();
        }
    }

    @Test
    void excludes_ofTheCommandAndOfTheTreeApply() throws IOException {
        Files.createDirectories(source.resolve("d/cache"));
        Files.createDirectories(source.resolve("cache"));
        for (String name : List.of("a.tmp", "d/b.tmp", "d/keep.tmp", "d/c.txt", "d/cache/x", "cache/y")) {
            Files.writeString(source.resolve(name), name);
        }
        Files.writeString(source.resolve("d/.pxarexclude"), "# here only\n!keep.tmp\n/cache/\n[bad\n");
        Files.writeString(source.resolve(".pxarexclude-cli"), "of the source, never archived");
        List<ExcludePattern> patterns = List.of(ExcludePattern.parse("*.tmp"), ExcludePattern.parse("/nothing/"));
        Trees.Archived archived = Trees.archive(source, ArchiveOptions.DEFAULT.withExcludes(patterns));
        PxarReader reader = archived.reader();
        assertThat(archived.problems()).singleElement().asString().startsWith("EXCLUDES_IGNORED");
        assertThat(reader.lookup(b("a.tmp"))).isNull();
        assertThat(reader.lookup(b("d/b.tmp"))).isNull();
        assertThat(reader.lookup(b("d/keep.tmp"))).isNotNull();
        assertThat(reader.lookup(b("d/c.txt"))).isNotNull();
        assertThat(reader.lookup(b("d/cache"))).isNull();
        assertThat(reader.lookup(b("cache/y"))).isNotNull();
        assertThat(reader.lookup(b("d/.pxarexclude"))).isNotNull();
        assertThat(new String(content(reader, ".pxarexclude-cli"), StandardCharsets.UTF_8))
                .isEqualTo("*.tmp\n/nothing/\n");
    }

    @Test
    void limits_areKept() throws IOException {
        Files.createDirectories(source.resolve("a/b/c"));
        Trees.Archived archived =
                Trees.archive(source, new ArchiveOptions(List.of(), ArchiveOptions.Mounts.STAY, 100, 2));
        assertThat(archived.problems()).singleElement().asString().startsWith("UNSUPPORTED");
        assertThat(archived.reader().lookup(b("a/b"))).isNull();

        Files.writeString(source.resolve("a/x"), "");
        assertThatThrownBy(
                        () -> Trees.archive(source, new ArchiveOptions(List.of(), ArchiveOptions.Mounts.STAY, 2, 100)))
                .isInstanceOf(TooManyEntriesException.class)
                .hasMessageContaining("source/a");
    }

    @Test
    void listenerThatThrows_endsTheBackup() throws IOException {
        Files.writeString(source.resolve("a"), "a");
        assertThatThrownBy(() -> archiveWith(FILES, when(0, 0, () -> {
                    throw new IOException("aborted");
                })))
                .hasMessage("aborted");
    }
}
