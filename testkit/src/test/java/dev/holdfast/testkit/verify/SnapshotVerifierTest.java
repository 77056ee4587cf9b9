package dev.holdfast.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.api.config.ChunkOrder;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.verify.SkipRule;
import dev.holdfast.datastore.verify.SnapshotVerifier;
import dev.holdfast.datastore.verify.VerifyOptions;
import dev.holdfast.datastore.verify.VerifyReport;
import dev.holdfast.datastore.verify.VerifyReport.Kind;
import dev.holdfast.datastore.verify.VerifyReport.SnapshotResult;
import dev.holdfast.datastore.verify.VerifyReport.State;
import dev.holdfast.datastore.verify.VerifyState;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.testkit.MiniDatastore;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.TestStore.Chunk;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification of real stores, with damage and faults. */
class SnapshotVerifierTest {

    private static final SnapshotId FIRST = SnapshotId.parse("host/a/2024-01-01T00:00:00Z");
    private static final SnapshotId SECOND = SnapshotId.parse("host/a/2024-01-02T00:00:00Z");
    private static final ArchiveName ARCHIVE = new ArchiveName("data.pxar.didx");
    private static final VerifyOptions ALL = VerifyOptions.of(DatastoreTuning.DEFAULTS);
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(0x6553F164L + 86_400 * 3), ZoneOffset.UTC);

    @TempDir
    Path base;

    private final FaultPlan plan = new FaultPlan();
    private final RecordingTask task = new RecordingTask();
    private TestStore fixture;

    @BeforeEach
    void makeStore() throws IOException {
        fixture = TestStore.at(
                TestStore.in(base).root(), base.resolve("locks"), new FaultyPosixFiles(JnrPosixFiles.load(), plan));
    }

    private Chunk chunk(int n) throws IOException {
        return fixture.chunk("chunk " + n + " ".repeat(n));
    }

    /** Two snapshots that share the second of three chunks. */
    private FilesystemDatastore twoSnapshots() throws IOException {
        FilesystemDatastore store = fixture.open();
        fixture.backup(store, FIRST, chunk(1), chunk(2));
        fixture.backup(store, SECOND, chunk(2), chunk(3), chunk(2));
        plan.resetCounts();
        return store;
    }

    private VerifyReport verify(FilesystemDatastore store, VerifyOptions options) throws DatastoreException {
        task.done = 0;
        return new SnapshotVerifier(store.chunks(), store.snapshots(), options, CLOCK).verifyStore(task);
    }

    private static SnapshotResult result(VerifyReport report, SnapshotId snapshot) {
        return report.snapshots().stream()
                .filter(r -> r.snapshot().equals(snapshot))
                .findFirst()
                .orElseThrow();
    }

    private static VerifyState state(FilesystemDatastore store, SnapshotId snapshot) throws DatastoreException {
        return VerifyState.of(store.snapshots()
                        .snapshot(BackupNamespace.ROOT, snapshot)
                        .manifest())
                .orElse(null);
    }

    private void flipLastBit(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
    }

    private Path file(SnapshotId snapshot, String name) {
        return fixture.root().resolve(snapshot.toString()).resolve(name);
    }

    /** Every file below the store with its content; names alone for chunks would hide a quarantine. */
    private Map<String, String> tree() throws IOException {
        Map<String, String> result = new TreeMap<>();
        try (var paths = Files.walk(fixture.root())) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                result.put(
                        fixture.root().relativize(path).toString(),
                        new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1));
            }
        }
        return result;
    }

    @Test
    void goodStore_isGood_andEachChunkIsReadOnce() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            int[] chunkReads = {0};
            plan.before(PosixOperation.OPEN_FOR_READING, FaultPlan.EVERY, "\\.chunks/", path -> {
                synchronized (chunkReads) {
                    chunkReads[0]++;
                }
            });
            VerifyReport report = verify(store, ALL);
            assertThat(report.isGood()).isTrue();
            assertThat(report.snapshots())
                    .extracting(SnapshotResult::snapshot, SnapshotResult::state)
                    .containsExactly(tuple(SECOND, State.OK), tuple(FIRST, State.OK));
            assertThat(chunkReads[0]).isEqualTo(3);
            assertThat(report.figures().chunks()).isEqualTo(3);
            assertThat(report.figures().bytes()).isPositive();
            assertThat(task.warnings).isEmpty();
            assertThat(task.total).isPositive();
            assertThat(task.done).isEqualTo(task.total);
            assertThat(state(store, FIRST).good()).isTrue();
            assertThat(state(store, SECOND).upid()).isEqualTo(RecordingTask.UPID);
        }
    }

    @Test
    void damagedChunk_isSetAside_andFailsEverySnapshotThatNamesIt() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Chunk bad = chunk(2);
            flipLastBit(fixture.file(bad.digest()));
            VerifyReport report = verify(store, ALL);
            assertThat(report.isGood()).isFalse();
            assertThat(report.badChunks()).singleElement().satisfies(found -> {
                assertThat(found.digest()).isEqualTo(bad.digest());
                assertThat(found.kind()).isEqualTo(Kind.CORRUPT_CHUNK);
                assertThat(found.badCopy()).hasValue(0);
            });
            assertThat(report.figures().corrupt()).isEqualTo(1);
            assertThat(report.figures().setAside()).isEqualTo(1);
            SnapshotResult second = result(report, SECOND);
            // Two references, listed once, at the first place.
            assertThat(second.errors()).isEqualTo(2);
            assertThat(second.findings()).singleElement().satisfies(finding -> {
                assertThat(finding.kind()).isEqualTo(Kind.CORRUPT_CHUNK);
                assertThat(finding.archive()).isEqualTo(ARCHIVE.text());
                assertThat(finding.digest()).contains(bad.digest());
                assertThat(finding.offset()).isZero();
            });
            assertThat(result(report, FIRST).findings().get(0).offset()).isEqualTo(chunk(1).data().length);
            assertThat(fixture.file(bad.digest())).doesNotExist();
            assertThat(Path.of(fixture.file(bad.digest()) + ".0.bad")).exists();
            assertThat(state(store, FIRST).good()).isFalse();
            assertThat(state(store, SECOND).good()).isFalse();

            // Now it is missing; stored again, all is well.
            VerifyReport again = verify(store, ALL);
            assertThat(again.figures().missing()).isEqualTo(1);
            assertThat(again.badChunks().get(0).kind()).isEqualTo(Kind.MISSING_CHUNK);
            store.chunks().insert(bad.digest(), bad.blob());
            assertThat(verify(store, ALL).isGood()).isTrue();
            assertThat(state(store, FIRST).good()).isTrue();
        }
    }

    @Test
    void chunkWithOtherData_isDamaged() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Chunk bad = chunk(3);
            Files.write(fixture.file(bad.digest()), chunk(1).blob().encoded());
            VerifyReport report = verify(store, ALL);
            assertThat(report.badChunks().get(0).kind()).isEqualTo(Kind.CORRUPT_CHUNK);
            assertThat(result(report, FIRST).state()).isEqualTo(State.OK);
            assertThat(fixture.file(bad.digest())).doesNotExist();
        }
    }

    @Test
    void chunkThatCannotBeRead_isNotSetAside() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Chunk bad = chunk(2);
            plan.fail(PosixOperation.READ, FaultPlan.EVERY, bad.digest().toString(), Errno.EIO);
            VerifyReport report = verify(store, ALL);
            plan.assertAllHit();
            assertThat(report.figures().unreadable()).isEqualTo(1);
            assertThat(report.figures().corrupt()).isZero();
            assertThat(report.badChunks().get(0).reason()).contains("input/output error");
            assertThat(result(report, FIRST).findings().get(0).kind()).isEqualTo(Kind.UNREADABLE_CHUNK);
            assertThat(fixture.file(bad.digest())).exists();
            assertThat(state(store, FIRST).good()).isFalse();
        }
    }

    @Test
    void chunkThatIsRightTheSecondTime_isGoodWithAWarning() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Path file = fixture.file(chunk(1).digest());
            byte[] good = Files.readAllBytes(file);
            plan.before(PosixOperation.OPEN_FOR_READING, 1, file.toString(), path -> flip(file));
            plan.before(PosixOperation.OPEN_FOR_READING, 2, file.toString(), path -> write(file, good));
            VerifyReport report = verify(store, ALL);
            plan.assertAllHit();
            assertThat(report.isGood()).isTrue();
            assertThat(task.warnings).singleElement().asString().contains("second time");
            assertThat(file).exists();
        }
    }

    private void flip(Path file) {
        try {
            flipLastBit(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, byte[] content) {
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void damageThatCannotBeReadAgain_isUnreadable() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Path file = fixture.file(chunk(1).digest());
            flipLastBit(file);
            plan.fail(PosixOperation.OPEN_FOR_READING, 2, file.toString(), Errno.EIO);
            VerifyReport report = verify(store, ALL);
            assertThat(report.figures().unreadable()).isEqualTo(1);
            assertThat(report.figures().corrupt()).isZero();
            assertThat(file).exists();
        }
    }

    @Test
    void readOnlyRun_findsTheSameAndChangesNothing() throws IOException {
        twoSnapshots().close();
        flipLastBit(fixture.file(chunk(2).digest()));
        Map<String, String> before = tree();
        try (FilesystemDatastore store = fixture.open(AccessMode.READ_ONLY)) {
            VerifyReport report = verify(store, ALL.withEffects(VerifyOptions.Effects.READ_ONLY));
            assertThat(report.figures().corrupt()).isEqualTo(1);
            assertThat(report.figures().setAside()).isZero();
            assertThat(report.badChunks().get(0).badCopy()).isEmpty();
            assertThat(result(report, FIRST).state()).isEqualTo(State.FAILED);
        }
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void resultThatCannotBeWritten_failsTheSnapshot() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            plan.fail(PosixOperation.RENAME, FaultPlan.EVERY, "index.json.blob", Errno.EIO);
            VerifyReport report = verify(store, ALL);
            assertThat(result(report, FIRST).state()).isEqualTo(State.FAILED);
            assertThat(result(report, FIRST).findings().get(0).kind()).isEqualTo(Kind.NOT_RECORDED);
        }
    }

    @Test
    void runOutsideATask_recordsNothing() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            VerifyReport report = new SnapshotVerifier(store.chunks(), store.snapshots(), ALL, CLOCK)
                    .verifyStore(new RecordingTask(""));
            assertThat(report.isGood()).isTrue();
            assertThat(state(store, FIRST)).isNull();
        }
    }

    @Test
    void damagedAndMissingFiles_failTheirSnapshotOnly() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            flipLastBit(file(SECOND, ARCHIVE.text()));
            VerifyReport report = verify(store, ALL);
            assertThat(result(report, SECOND).findings()).singleElement().satisfies(finding -> {
                assertThat(finding.kind()).isEqualTo(Kind.DAMAGED_FILE);
                assertThat(finding.digest()).isEmpty();
                assertThat(finding.offset()).isEqualTo(-1);
            });
            assertThat(result(report, FIRST).state()).isEqualTo(State.OK);
            Files.delete(file(SECOND, ARCHIVE.text()));
            assertThat(result(verify(store, ALL), SECOND).findings().get(0).kind())
                    .isEqualTo(Kind.DAMAGED_FILE);
        }
    }

    @Test
    void indexThatCannotBeRead_isNotCalledDamaged() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            plan.fail(PosixOperation.READ, FaultPlan.EVERY, "\\.didx$", Errno.EIO);
            assertThat(result(verify(store, ALL), FIRST).findings().get(0).kind())
                    .isEqualTo(Kind.UNREADABLE_FILE);
        }
    }

    @Test
    void damagedManifest_failsTheSnapshot_andIsNotWritten() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Path manifest = file(FIRST, "index.json.blob");
            flipLastBit(manifest);
            byte[] before = Files.readAllBytes(manifest);
            VerifyReport report = verify(store, ALL);
            assertThat(result(report, FIRST).findings().get(0).kind()).isEqualTo(Kind.DAMAGED_FILE);
            assertThat(result(report, SECOND).state()).isEqualTo(State.OK);
            assertThat(manifest).hasBinaryContent(before);
        }
    }

    @Test
    void snapshotWithoutManifest_isUnfinished() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            Files.delete(file(FIRST, "index.json.blob"));
            SnapshotResult result = result(verify(store, ALL), FIRST);
            assertThat(result.state()).isEqualTo(State.FAILED);
            assertThat(result.findings().get(0).reason()).contains("unfinished");
        }
    }

    @Test
    void blobs_areChecked() throws IOException {
        try (FilesystemDatastore store = fixture.open()) {
            byte[] content = "a configuration, some lines long".getBytes(StandardCharsets.UTF_8);
            ArchiveName name = new ArchiveName("a.conf.blob");
            try (BackupSession session = store.backups().start(BackupNamespace.ROOT, FIRST, TestStore.OWNER)) {
                session.addBlob(name, new BlobEncoder(true, null).encode(content, 0, content.length), CryptMode.NONE);
                session.finish(null);
            }
            assertThat(verify(store, ALL).isGood()).isTrue();
            assertThat(task.done).isEqualTo(task.total).isPositive();
            flipLastBit(file(FIRST, name.text()));
            assertThat(result(verify(store, ALL), FIRST).findings().get(0).archive())
                    .isEqualTo(name.text());
        }
    }

    @Test
    void indexThatMisdescribesAGoodChunk_fails_andTheChunkStays() throws IOException {
        try (FilesystemDatastore store = fixture.open()) {
            Chunk good = chunk(1);
            fixture.backup(store, FIRST, good);
            makeOdd(store, SECOND, good, good.data().length + 1, CryptMode.NONE);
            VerifyReport report = verify(store, ALL);
            assertThat(result(report, FIRST).state()).isEqualTo(State.OK);
            assertThat(result(report, SECOND).findings()).singleElement().satisfies(finding -> {
                assertThat(finding.kind()).isEqualTo(Kind.MISMATCH);
                assertThat(finding.digest()).contains(good.digest());
            });
            assertThat(report.badChunks()).isEmpty();
            assertThat(fixture.file(good.digest())).exists();
        }
    }

    @Test
    void plainChunkInAnEncryptedArchive_fails_andTheChunkStays() throws IOException {
        try (FilesystemDatastore store = fixture.open()) {
            Chunk good = chunk(1);
            makeOdd(store, FIRST, good, good.data().length, CryptMode.ENCRYPT);
            VerifyReport report = verify(store, ALL);
            assertThat(result(report, FIRST).findings().get(0).kind()).isEqualTo(Kind.MISMATCH);
            assertThat(fixture.file(good.digest())).exists();
        }
    }

    private static void makeOdd(
            FilesystemDatastore store, SnapshotId snapshot, Chunk chunk, long length, CryptMode mode)
            throws DatastoreException {
        try (BackupSession session = store.backups().start(BackupNamespace.ROOT, snapshot, TestStore.OWNER)) {
            try (BackupSession.DynamicArchive archive = session.dynamicArchive(ARCHIVE)) {
                session.insertChunk(chunk.digest(), chunk.blob());
                archive.add(chunk.digest(), length);
                archive.finish(mode);
            }
            session.finish(null);
        }
    }

    @Test
    void snapshotInUse_isSkipped() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            SnapshotId third = SnapshotId.parse("host/a/2024-01-03T00:00:00Z");
            try (BackupSession running = store.backups().start(BackupNamespace.ROOT, third, TestStore.OWNER)) {
                VerifyReport report = verify(store, ALL);
                assertThat(result(report, running.snapshot()).state()).isEqualTo(State.SKIPPED);
                assertThat(report.isGood()).isTrue();
            }
        }
    }

    @Test
    void verifiedSnapshots_areSkippedByRule() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            assertThat(verify(store, ALL).isGood()).isTrue();
            for (SkipRule rule : List.of(SkipRule.VERIFIED, SkipRule.verifiedWithin(3))) {
                assertThat(verify(store, ALL.withSkip(rule)).snapshots())
                        .extracting(SnapshotResult::state)
                        .containsOnly(State.SKIPPED);
            }
            assertThat(verify(store, ALL.withSkip(SkipRule.verifiedWithin(2))).snapshots())
                    .extracting(SnapshotResult::state)
                    .containsOnly(State.OK);
        }
    }

    @Test
    void abort_endsTheRun_andRecordsNothing() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            plan.before(PosixOperation.OPEN_FOR_READING, 1, "\\.chunks/", path -> {
                task.aborted = true;
            });
            assertThatThrownBy(() -> verify(store, ALL)).isInstanceOf(TaskAbortedException.class);
            assertThat(state(store, FIRST)).isNull();
            assertThat(state(store, SECOND)).isNull();
        }
    }

    @Test
    void everyNumberOfThreadsAndOrder_givesTheSameResult() throws IOException {
        try (FilesystemDatastore store = fixture.open()) {
            List<Chunk> chunks = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                chunks.add(chunk(i));
            }
            fixture.backup(store, FIRST, chunks.toArray(new Chunk[0]));
            Files.delete(fixture.file(chunks.get(17).digest()));
            flipLastBit(fixture.file(chunks.get(200).digest()));
            for (ChunkOrder order : ChunkOrder.values()) {
                for (int threads : new int[] {1, 4, 32}) {
                    VerifyReport report = verify(
                            store,
                            new VerifyOptions(
                                    SkipRule.NOTHING, VerifyOptions.Effects.READ_ONLY, order, threads, threads));
                    assertThat(report.figures().chunks()).isEqualTo(300);
                    assertThat(report.figures().missing()).isEqualTo(1);
                    assertThat(report.figures().corrupt()).isEqualTo(1);
                    assertThat(result(report, FIRST).errors()).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void oneSnapshotAndOneGroup_canBeVerifiedAlone() throws IOException {
        try (FilesystemDatastore store = twoSnapshots()) {
            SnapshotVerifier verifier = new SnapshotVerifier(store.chunks(), store.snapshots(), ALL, CLOCK);
            assertThat(verifier.verifySnapshot(BackupNamespace.ROOT, FIRST, task)
                            .snapshots())
                    .hasSize(1);
            task.done = 0;
            assertThat(verifier.verifyGroup(BackupNamespace.ROOT, FIRST.group(), task)
                            .snapshots())
                    .hasSize(2);
            assertThatThrownBy(() -> verifier.verifySnapshot(
                            BackupNamespace.ROOT, SnapshotId.parse("host/a/2024-01-09T00:00:00Z"), task))
                    .isInstanceOf(SnapshotMissingException.class);
            assertThatThrownBy(() -> verifier.verifyGroup(BackupNamespace.ROOT, BackupGroup.parse("host/nobody"), task))
                    .isInstanceOf(SnapshotMissingException.class);
        }
    }

    /** A store of another implementation: namespaces, an encrypted and an unfinished snapshot, and no key at hand. */
    @Test
    void miniStore_isVerifiedWithoutAKey() throws IOException {
        TestStore mini = TestStore.at(MiniDatastore.unpack(base.resolve("unpacked")), base.resolve("locks2"));
        try (FilesystemDatastore store = mini.open()) {
            VerifyReport report = verify(store, ALL);
            assertThat(report.badChunks()).isEmpty();
            assertThat(report.snapshots()).hasSize(4);
            for (SnapshotResult result : report.snapshots()) {
                boolean unfinished = result.snapshot().toString().equals("host/mini/2024-01-04T03:04:05Z");
                assertThat(result.state()).as(result.toString()).isEqualTo(unfinished ? State.FAILED : State.OK);
            }
            assertThat(store.snapshots()
                            .snapshot(BackupNamespace.parse("dev/sub"), SnapshotId.parse("vm/100/2024-01-02T03:04:05Z"))
                            .manifest()
                            .unprotected())
                    .containsKeys("verify_state");
        }
    }
}
