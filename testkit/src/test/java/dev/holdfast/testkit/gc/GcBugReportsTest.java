package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.GcFixture.T1;
import static dev.holdfast.testkit.gc.GcFixture.T2;
import static dev.holdfast.testkit.gc.GcFixture.T3;
import static dev.holdfast.testkit.gc.Indexes.digest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.snapshot.GroupDirectory;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of chunk stores reported in public, as small inputs. */
@ParameterizedClass
@ValueSource(strings = {"", "gc-marking=mark-set"})
class GcBugReportsTest {

    @Parameter
    String marking;

    private static final String DIRECT = "gc-cache-capacity=1000";
    private static final String BATCHED = "gc-prefetch-batch-size=1024";
    private static final String DRIVE = "drive-scsi0.img.fidx";
    private static final ChunkDigest C1 = digest(1);
    private static final ChunkDigest C2 = digest(2);
    private static final ChunkDigest GARBAGE = digest(-1);

    @TempDir
    Path temp;

    private GcFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fixture = new GcFixture(temp.resolve("store"));
        fixture.marking = marking;
        fixture.chunk(C1);
        fixture.chunk(C2);
        fixture.chunk(GARBAGE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Calls back between the listing of a group and the opening of what was listed. */
    private interface Hook {
        void afterListing(int call) throws IOException;
    }

    private void afterListing(Hook hook) {
        fixture.wrapCatalog = catalog -> new SnapshotCatalog() {
            private int calls;

            @Override
            public List<SnapshotId> snapshots(BackupNamespace namespace, BackupGroup group) throws DatastoreException {
                List<SnapshotId> listed = catalog.snapshots(namespace, group);
                try {
                    hook.afterListing(++calls);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return listed;
            }

            @Override
            public List<BackupNamespace> namespaces(BackupNamespace start, int maxDepth) throws DatastoreException {
                return catalog.namespaces(start, maxDepth);
            }

            @Override
            public List<BackupGroup> groups(BackupNamespace namespace) throws DatastoreException {
                return catalog.groups(namespace);
            }

            @Override
            public GroupDirectory group(BackupNamespace namespace, BackupGroup group) {
                return catalog.group(namespace, group);
            }

            @Override
            public SnapshotDirectory snapshot(BackupNamespace namespace, SnapshotId snapshot) {
                return catalog.snapshot(namespace, snapshot);
            }

            @Override
            public void createNamespace(BackupNamespace namespace) throws DatastoreException {
                catalog.createNamespace(namespace);
            }

            @Override
            public void deleteNamespace(BackupNamespace namespace) throws DatastoreException {
                catalog.deleteNamespace(namespace);
            }
        };
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void r01_missingChunk_doesNotStopTheRun_andIsListedOnce() throws Exception {
        fixture.snapshot("vm/100", T1, DRIVE, C1, C2);
        fixture.snapshot("vm/100", T2, DRIVE, C1, C2);
        fixture.tuning = "gc-cache-capacity=0";
        Files.delete(fixture.chunkPath(C1));
        GcReport report = fixture.run();
        assertThat(fixture.has(GARBAGE)).isFalse();
        assertThat(fixture.has(C2)).isTrue();
        assertThat(report.warnings())
                .containsExactly(new GcReport.Warning("missing-chunk", C1.toString(), "vm/100/" + T2 + "/" + DRIVE, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void r05_baseThatIsPrunedWhileItsSuccessorIsMade_losesNothing(String tuning) throws Exception {
        fixture.tuning = tuning;
        Path base = fixture.snapshot("vm/100", T1, DRIVE, C1);
        afterListing(call -> {
            if (call == 1) {
                fixture.snapshot("vm/100", T2, DRIVE, C1);
                delete(base);
            }
        });
        GcReport report = fixture.run();
        assertThat(fixture.has(C1)).isTrue();
        assertThat(report.status().indexFileCount()).isEqualTo(1);
        assertThat(report.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void r05_successorThatWasListedWithoutAnIndex_losesNothing(String tuning) throws Exception {
        fixture.tuning = tuning;
        Path base = fixture.snapshot("vm/100", T1, DRIVE, C1);
        Path running = Files.createDirectories(fixture.root.resolve("vm/100/" + T2));
        int[] walked = new int[1];
        // The walk opens the base first. The running backup is looked at while it has no index; it finishes, and its
        // base goes, before the base is opened.
        fixture.plan.before(PosixOperation.OPEN_DIRECTORY, FaultPlan.EVERY, T1 + "$", path -> {
            try {
                if (walked[0]++ == 1) {
                    delete(running);
                    fixture.snapshot("vm/100", T2, DRIVE, C1);
                    delete(base);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        fixture.run();
        assertThat(fixture.has(C1)).isTrue();
    }

    @Test
    void groupThatNeverHoldsStill_isReadUnderItsLock_atTheEleventhAttempt() throws Exception {
        int[] attempts = new int[1];
        fixture.snapshot("vm/100", T1, DRIVE, C1);
        afterListing(call -> {
            attempts[0] = call;
            if (call <= 10) {
                Path newest = fixture.root.resolve("vm/100").resolve(SnapshotId.formatTime(1_800_000_000L + call));
                delete(newest);
            }
            prepare(call);
        });
        prepare(0);
        fixture.run();
        assertThat(attempts[0]).isEqualTo(11);
        assertThat(fixture.has(C1)).isTrue();
    }

    private void prepare(int call) throws IOException {
        if (call < 10) {
            fixture.snapshot("vm/100", SnapshotId.formatTime(1_800_000_001L + call), DRIVE, C2);
        }
    }

    @Test
    void groupThatNeverHoldsStill_andIsLocked_failsTheRun() throws Exception {
        DirectoryLocks.Guard backup = fixture.locks.lockGroup(BackupNamespace.ROOT, BackupGroup.parse("vm/100"));
        afterListing(call -> {
            delete(fixture.root.resolve("vm/100").resolve(SnapshotId.formatTime(1_800_000_000L + call)));
            prepare(call);
        });
        prepare(0);
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> fixture.run());
        assertThat(fixture.has(GARBAGE)).isTrue();
        backup.close();
    }

    @Test
    void r06_indexesInNamespaces_areNotStrange() throws Exception {
        ChunkDigest c9 = digest(9);
        fixture.chunk(c9);
        fixture.snapshot("ns/a/vm/100", T1, DRIVE, C1);
        fixture.snapshot("ns/a/ns/b/vm/100", T1, DRIVE, C2);
        fixture.index("junk/x.fidx", c9);
        GcReport report = fixture.run();
        assertThat(report.warnings()).containsExactly(new GcReport.Warning("strange-path", "", "junk/x.fidx", 1));
        assertThat(List.of(C1, C2, c9)).allMatch(fixture::has);
        assertThat(report.status().indexFileCount()).isEqualTo(3);
    }

    @Test
    void r07_nestedStores_areRefused_inBothDirections() throws Exception {
        Path inner = Files.createDirectories(fixture.root.resolve("b/inner"));
        fixture.others.put("inner", inner);
        assertNested("inner");
        fixture.others.clear();
        fixture.others.put("outer", temp);
        assertNested("outer");
        fixture.others.clear();
        fixture.others.put("same", fixture.root);
        assertNested("same");
        fixture.others.clear();
        fixture.others.put("beside", Files.createDirectories(temp.resolve("store2")));
        fixture.others.put("unplugged", temp.resolve("not-there"));
        assertThat(fixture.run().warnings()).isEmpty();
    }

    @Test
    void r07_nestedStoreBehindALink_isRefused() throws Exception {
        Path inner = Files.createDirectories(fixture.root.resolve("b/inner"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), inner);
        fixture.others.put("linked", link);
        assertNested("linked");
        fixture.others.clear();
        Path up = Files.createSymbolicLink(temp.resolve("up"), fixture.root.getParent());
        fixture.others.put("above", up);
        assertNested("above");
        fixture.others.clear();
        fixture.others.put("sideways", up.resolve("store/b/inner"));
        assertNested("sideways");
    }

    private void assertNested(String other) {
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining("store1")
                .withMessageContaining(other);
        assertThatExceptionOfType(SafetyException.class).isThrownBy(() -> fixture.dryRun());
        assertThat(fixture.has(GARBAGE)).isTrue();
        assertThat(fixture.layout.chunks().resolve("bb9f")).isEmptyDirectory();
    }

    @Test
    void r08_snapshotsThatComeAndGoWhileTheWalkRuns_areNotStrange() throws Exception {
        for (int i = 0; i < 10; i++) {
            fixture.snapshot("vm/100", SnapshotId.formatTime(1_700_000_000L + i), DRIVE, C1, C2);
        }
        ChunkDigest fresh = digest(4);
        fixture.chunk(fresh);
        afterListing(call -> {
            if (call == 1) {
                delete(fixture.root.resolve("vm/100").resolve(SnapshotId.formatTime(1_700_000_003L)));
                fixture.snapshot("vm/100", SnapshotId.formatTime(1_700_000_010L), DRIVE, fresh);
            }
        });
        GcReport report = fixture.run();
        assertThat(report.warnings()).isEmpty();
        assertThat(report.status().indexFileCount()).isEqualTo(10);
        assertThat(fixture.has(fresh)).isTrue();
        assertThat(fixture.task.progressWentWrong).isFalse();
        assertThat(fixture.task.lastDone).isEqualTo(fixture.task.lastTotal).isPositive();
        assertThat(fixture.task.lines).anyMatch(line -> line.startsWith("marked 100%"));
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void r11_badChunk_livesAsLongAsItsChunkIsNeededAndAbsent(String tuning) throws Exception {
        fixture.tuning = tuning;
        String bad = dev.holdfast.datastore.layout.ChunkName.relative(C1);
        // (1) absent and needed
        Files.delete(fixture.chunkPath(C1));
        Path zero = fixture.file(bad + ".0.bad", 10);
        Path one = fixture.file(bad + ".1.bad", 10);
        Path snapshot = fixture.snapshot("vm/100", T1, DRIVE, C1);
        GcReport needed = fixture.run();
        assertThat(zero).exists();
        assertThat(one).exists();
        assertThat(needed.warnings())
                .extracting(GcReport.Warning::kind)
                .containsExactlyInAnyOrder("missing-chunk", "leftover-bad", "leftover-bad");
        assertThat(needed.status().removedBad()).isZero();
        // (2) needed, and there again
        fixture.chunk(C1);
        GcFixture.age(zero, GcFixture.LONG_AGO);
        GcFixture.age(one, Duration.ofHours(1));
        GcReport replaced = fixture.run();
        assertThat(zero).doesNotExist();
        assertThat(one).exists();
        assertThat(replaced.status().removedBad()).isEqualTo(1);
        assertThat(replaced.status().removedBytes()).isEqualTo(10);
        assertThat(replaced.status().removedChunks()).isZero();
        assertThat(replaced.status().stillBad()).isEqualTo(1);
        // (3) absent and not needed
        delete(snapshot);
        Files.delete(fixture.chunkPath(C1));
        GcFixture.age(one, GcFixture.LONG_AGO);
        fixture.run();
        assertThat(one).doesNotExist();
    }

    @Test
    void r19_lostAndFound_isNoObstacle() throws Exception {
        Path lost = Files.createDirectory(fixture.root.resolve("lost+found"));
        fixture.fail(PosixOperation.OPEN_DIRECTORY, Pattern.quote(lost.toString()) + "$", Errno.EACCES);
        assertThat(fixture.run().warnings()).isEmpty();
        assertThat(fixture.has(GARBAGE)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"vm/100,EACCES", "vm/100,EIO", "vm/lost+found,EACCES", "vm,EACCES", "lost+found,EIO", "x/y/z,EACCES"})
    void r19_anyOtherDirectoryThatCannotBeRead_failsTheRun(String path, String errno) throws Exception {
        Path directory = Files.createDirectories(fixture.root.resolve(path));
        fixture.fail(PosixOperation.OPEN_DIRECTORY, Pattern.quote(directory.toString()) + "$", Errno.valueOf(errno));
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining(path)
                .withMessageContaining(errno);
        assertThat(fixture.has(GARBAGE)).isTrue();
    }

    @Test
    void hiddenDirectoryThatCannotBeRead_isSkippedWithAWarning() throws Exception {
        Path hidden = Files.createDirectories(fixture.root.resolve(".hidden"));
        fixture.fail(PosixOperation.OPEN_DIRECTORY, Pattern.quote(hidden.toString()) + "$", Errno.EACCES);
        assertThat(fixture.run().warnings())
                .containsExactly(new GcReport.Warning("unreadable-hidden", "", ".hidden", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "EPERM," + DIRECT,
        "EACCES," + DIRECT,
        "EROFS," + DIRECT,
        "EIO," + DIRECT,
        "ESTALE," + DIRECT,
        "ENOSPC," + DIRECT,
        "EPERM," + BATCHED,
        "EACCES," + BATCHED,
        "EROFS," + BATCHED,
        "EIO," + BATCHED,
        "ESTALE," + BATCHED,
        "ENOSPC," + BATCHED,
        "ENOTDIR," + DIRECT,
        "ELOOP," + BATCHED
    })
    void r02_touchThatFailsInTheSystem_stopsTheRunBeforeTheSweep(String errno, String tuning) throws Exception {
        assumeTrue(marking.isEmpty(), "a set touches nothing, so no touch can fail");
        fixture.tuning = tuning;
        fixture.snapshot("vm/100", T1, DRIVE, C2, C1);
        fixture.fail(PosixOperation.TOUCH, C1.toString(), Errno.valueOf(errno));
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining(C1.toString())
                .withMessageContaining(errno)
                .satisfies(e -> assertThat(e.path()).contains(C1.toString()));
        assertThat(List.of(C1, C2, GARBAGE)).allMatch(fixture::has);
        assertThat(fixture.saved).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void indexThatCannotBeRead_failsTheRun(String tuning) throws Exception {
        fixture.tuning = tuning;
        Path snapshot = fixture.snapshot("vm/100", T1, DRIVE, C1);
        fixture.fail(PosixOperation.OPEN_FOR_READING, DRIVE, Errno.EACCES);
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining(DRIVE)
                .withMessageContaining("EACCES");
        assertThat(fixture.has(GARBAGE)).isTrue();
    }

    @Test
    void manifestThatCannotBeRead_isAWarning_andTheIndexIsMarked() throws Exception {
        Path snapshot = fixture.snapshot("vm/100", T1, DRIVE, C1);
        Files.write(snapshot.resolve("index.json.blob"), "no manifest".getBytes(StandardCharsets.UTF_8));
        GcReport report = fixture.run();
        assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("unreadable-manifest");
        assertThat(fixture.has(C1)).isTrue();
        assertThat(fixture.has(GARBAGE)).isFalse();
    }

    @Test
    void indexThatAManifestListsAndThatIsGone_isAWarning() throws Exception {
        Path snapshot = fixture.snapshot("vm/100", T1, DRIVE, C1);
        fixture.snapshot("vm/100", T3, DRIVE, C2);
        Files.delete(snapshot.resolve(DRIVE));
        assertThat(fixture.run().warnings())
                .containsExactly(new GcReport.Warning("missing-index", "", "vm/100/" + T1 + "/" + DRIVE, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s03_misplacedChunk_isCounted_andGoesWhenItIsOld(String tuning) throws Exception {
        fixture.tuning = tuning;
        String wrong = C1.toString().startsWith("0000") ? "0001" : "0000";
        Path misplaced = fixture.file(wrong + "/" + C1, 50);
        fixture.snapshot("vm/100", T1, DRIVE, C1);
        GcReport report = fixture.run();
        assertThat(misplaced).doesNotExist();
        assertThat(fixture.has(C1)).isTrue();
        assertThat(report.warnings())
                .containsExactly(new GcReport.Warning("misplaced-chunk", "", ".chunks/" + wrong + "/" + C1, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void announcedMove_isMarked_andTheJournalEmptied(String tuning) throws Exception {
        fixture.tuning = tuning;
        Path hidden = fixture.index(".moving/x.fidx", C1);
        Files.createDirectories(fixture.locks.moveJournal().getParent());
        Files.writeString(fixture.locks.moveJournal(), hidden + "\n" + temp.resolve("gone.fidx") + "\n" + temp + "/ha");
        fixture.dryRun();
        assertThat(fixture.locks.moveJournal()).isNotEmptyFile();
        GcReport report = fixture.run();
        assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsOnlyOnce("odd-journal-line");
        assertThat(fixture.has(C1)).isTrue();
        assertThat(fixture.locks.moveJournal()).isEmptyFile();
    }

    @Test
    void nameThatIsNotUtf8_failsTheRun() throws Exception {
        Files.createDirectories(fixture.root.resolve("vm/100/x"));
        try (DirectoryHandle group = GcFixture.REAL.openDirectory(fixture.root.resolve("vm/100"))) {
            group.rename("x".getBytes(StandardCharsets.UTF_8), new byte[] {'a', (byte) 0xff, 'b'});
            assertThatExceptionOfType(SafetyException.class)
                    .isThrownBy(() -> fixture.run())
                    .withMessageContaining("UTF-8");
            group.rename(new byte[] {'a', (byte) 0xff, 'b'}, "x".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(fixture.has(GARBAGE)).isTrue();
    }

    @Test
    void typeDirectoryThatIsReplacedDuringTheMark_failsTheRun() throws Exception {
        fixture.snapshot("vm/100", T1, DRIVE, C1);
        fixture.snapshot("ct/101", T1, DRIVE, C2);
        afterListing(call -> {
            if (call == 1) {
                Files.move(fixture.root.resolve("vm"), temp.resolve("unmounted"));
                Files.createDirectory(fixture.root.resolve("vm"));
            }
        });
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining("unmounted?");
        assertThat(fixture.has(C1)).isTrue();
        assertThat(fixture.has(GARBAGE)).isTrue();
    }

    @Test
    void sweepThatCannotRemove_failsWithPartialFigures() throws Exception {
        fixture.fail(PosixOperation.UNLINK, GARBAGE.toString(), Errno.EACCES);
        assertThatExceptionOfType(DatastoreException.class)
                .isThrownBy(() -> fixture.run())
                .isNotInstanceOf(SafetyException.class)
                .withMessageContaining("removed so far")
                .withMessageContaining("EACCES");
        assertThat(fixture.saved).isNull();
        assertThat(fixture.task.lines).anyMatch(line -> line.startsWith("stopped in phase 2"));
    }
}
