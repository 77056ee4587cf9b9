package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.GcFixture.T1;
import static dev.holdfast.testkit.gc.GcFixture.T2;
import static dev.holdfast.testkit.gc.Indexes.digest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.posix.FileStat;
import dev.holdfast.testkit.MiniDatastore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"", "gc-marking=mark-set"})
class GcDryRunTest {

    @Parameter
    String marking;

    private static final String DRIVE = "drive-scsi0.img.fidx";

    @TempDir
    Path temp;

    private GcFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fixture = new GcFixture(MiniDatastore.unpack(temp));
        fixture.marking = marking;
        Files.createDirectories(fixture.layout.chunks().resolve("bb9f"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** What stat tells about every file and directory of the store; the paths are given, so that nothing is listed. */
    private static Map<String, List<Long>> stamps(List<Path> paths) throws IOException {
        Map<String, List<Long>> stamps = new TreeMap<>();
        FileStat stat = new FileStat();
        for (Path path : paths) {
            assertThat(GcFixture.REAL.stat(path, false, stat)).isTrue();
            stamps.put(
                    path.toString(),
                    List.of(
                            stat.inode(),
                            stat.size(),
                            stat.accessSeconds(),
                            (long) stat.accessNanos(),
                            stat.modifySeconds(),
                            (long) stat.modifyNanos(),
                            stat.changeSeconds(),
                            (long) stat.changeNanos()));
        }
        return stamps;
    }

    @Test
    void dryRun_changesNoTimeStamp() throws Exception {
        List<Path> paths = tree();
        // An access time before the change time is what makes a relatime mount set it at the next read.
        for (Path path : paths) {
            GcFixture.age(path, GcFixture.LONG_AGO);
        }
        Map<String, List<Long>> before = stamps(paths);
        fixture.dryRun();
        assertThat(stamps(paths)).isEqualTo(before);
    }

    @Test
    void dryRun_makesNoFile() throws Exception {
        List<Path> before = tree();
        fixture.dryRun();
        assertThat(tree()).isEqualTo(before);
    }

    private List<Path> tree() throws IOException {
        try (Stream<Path> paths = Files.walk(temp)) {
            return paths.sorted().toList();
        }
    }

    @Test
    void dryRun_worksBesideAWriterOfAnotherKind_andWithoutAProcessLock() throws Exception {
        ProcessLock.Guard exclusive = fixture.lock().acquireExclusive();
        assertThat(fixture.dryRun().candidates()).hasSize(2);
        exclusive.close();
    }

    @Test
    void oddStore_getsTheSameFiguresAndFilesFromADryRunAsFromARun() throws Exception {
        fixture.tuning = "gc-cache-capacity=3";
        for (int i = 0; i < 40; i++) {
            fixture.chunk(digest(i));
        }
        fixture.snapshot("vm/7", T1, DRIVE, digest(1), digest(2), digest(3), digest(50));
        fixture.snapshot("vm/7", T2, DRIVE, digest(3), digest(1), digest(4), digest(51), digest(3));
        Files.createDirectories(fixture.chunkPath(digest(51)).getParent());
        bad(digest(50), 0); // needed, absent
        bad(digest(50), 7);
        bad(digest(2), 1); // needed, there
        bad(digest(60), 0); // not needed
        Path misplaced = fixture.file("0000/" + digest(3), 5);
        Path upper = fixture.file(
                ChunkName.relative(digest(4)).substring(0, 5)
                        + digest(4).toString().toUpperCase(java.util.Locale.ROOT),
                6);
        GcReport dry = fixture.dryRun();
        List<String> before = relative();
        GcReport real = fixture.run();
        List<String> removed = before.stream()
                .filter(path -> !relativeUnchecked().contains(path))
                .toList();
        assertThat(dry.candidates()).isEqualTo(removed);
        assertThat(misplaced).doesNotExist();
        assertThat(upper).doesNotExist();
        assertThat(dry.cutoff()).isBetween(real.cutoff() - 10, real.cutoff());
        assertThat(dry.status()).isEqualTo(real.status());
        assertThat(dry.warnings()).containsExactlyInAnyOrderElementsOf(real.warnings());
    }

    private void bad(ChunkDigest digest, int n) throws IOException {
        fixture.file(ChunkName.relative(digest) + ChunkName.badSuffix(n), 11 + n);
    }

    private List<String> relative() throws IOException {
        try (Stream<Path> paths = Files.walk(fixture.layout.chunks())) {
            return paths.filter(Files::isRegularFile)
                    .map(path -> fixture.root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private List<String> relativeUnchecked() {
        try {
            return relative();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void missingPrefixDirectory_stopsADryRunToo() throws Exception {
        fixture.snapshot("vm/7", T1, DRIVE, digest(77));
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.dryRun())
                .withMessageContaining("a real run would stop here");
    }
}
