package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.Indexes.digest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.gc.AtimeSafetyCheck;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.datastore.task.TaskAbortedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has to do with time, failing touches and batches, on a store of chunks whose clock the test sets. */
class GcOnMemoryChunksTest {

    private static final String DIRECT = "gc-cache-capacity=1024";
    private static final String BATCHED = "gc-prefetch-batch-size=1024";

    @TempDir
    Path temp;

    private GcFixture fixture;
    private MemoryChunkStore chunks;

    @BeforeEach
    void open() throws IOException {
        fixture = new GcFixture(temp.resolve("store"));
        chunks = new MemoryChunkStore(fixture.clock);
        fixture.makeChunks = files -> chunks;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void old(ChunkDigest digest) {
        chunks.put(digest, 100, Instant.now().minus(GcFixture.LONG_AGO));
    }

    private ChunkDigest[] used(int count) throws IOException {
        ChunkDigest[] digests =
                IntStream.range(0, count).mapToObj(Indexes::digest).toArray(ChunkDigest[]::new);
        for (ChunkDigest digest : digests) {
            old(digest);
        }
        fixture.snapshot("vm/100", GcFixture.T1, "drive-scsi0.img.fidx", digests);
        return digests;
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void unusedOldChunk_isRemoved_andUsedOnesStay(String tuning) throws Exception {
        fixture.tuning = tuning;
        ChunkDigest[] used = used(3000);
        old(digest(-1));
        GcReport report = fixture.run();
        assertThat(chunks.has(digest(-1))).isFalse();
        assertThat(used).allMatch(chunks::has);
        assertThat(report.status().removedChunks()).isEqualTo(1);
        assertThat(report.status().diskChunks()).isEqualTo(3001);
        assertThat(report.warnings()).isEmpty();
        assertThat(report.phases()).extracting(GcReport.Phase::references).containsExactly(3000L, 0L);
        assertThat(report.phases()).extracting(GcReport.Phase::touched).containsExactly(3000L, 0L);
        assertThat(fixture.saved).isEqualTo(report.status());
        assertThat(fixture.task.lastDone).isEqualTo(3000).isEqualTo(fixture.task.lastTotal);
    }

    @Test
    void batches_areAsLargeAsTheOptionSays_andTheLastOneIsFlushed() throws Exception {
        fixture.tuning = BATCHED;
        used(3000);
        GcReport report = fixture.run();
        assertThat(chunks.touchSizes.stream().filter(size -> size > 1)).containsExactly(1024, 1024, 952);
        assertThat(report.strategy().flushes()).isEqualTo(3);
        assertThat(report.strategy().largestBatch()).isEqualTo(1024);
        assertThat(report.strategy().batchSize()).hasValue(1024);
    }

    @Test
    void digestThatWaitsInTheBatch_isNotEnteredTwice_evenWithoutACache() throws Exception {
        fixture.tuning = BATCHED + ",gc-cache-capacity=0";
        used(500);
        fixture.snapshot(
                "vm/100",
                GcFixture.T2,
                "drive-scsi0.img.fidx",
                IntStream.range(0, 500).mapToObj(Indexes::digest).toArray(ChunkDigest[]::new));
        GcReport report = fixture.run();
        assertThat(report.phases().get(0).references()).isEqualTo(1000);
        assertThat(report.phases().get(0).touched()).isEqualTo(500);
        assertThat(report.status().cacheStats()).hasValueSatisfying(cache -> {
            assertThat(cache.hits()).isZero();
            assertThat(cache.misses()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void r02_touchThatFails_stopsTheRunBeforeTheSweep(String tuning) throws Exception {
        fixture.tuning = tuning;
        ChunkDigest[] used = used(10);
        old(digest(-1));
        chunks.hook = digest -> {
            if (digest.equals(used[7])) {
                throw new DatastoreException("no space left on the filesystem");
            }
        };
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(fixture::run)
                .withMessageContaining("no space left")
                .withMessageContaining("nothing has been removed");
        assertThat(chunks.has(digest(-1))).isTrue();
        assertThat(used).allMatch(chunks::has);
        assertThat(fixture.saved).isNull();
    }

    @Test
    void r03_filesystemThatIgnoresTouches_isRefused() throws Exception {
        ChunkDigest[] used = used(1);
        chunks.ignoreTouches = true;
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(fixture::run)
                .withMessageContaining("access times");
        assertThat(used).allMatch(chunks::has);
    }

    @Test
    void r03_optOut_warnsLoudly_andSaysSoInTheResult() throws Exception {
        fixture.tuning = "gc-atime-safety-check=false";
        used(1);
        chunks.ignoreTouches = true;
        GcReport report = fixture.run();
        assertThat(report.warnings())
                .extracting(GcReport.Warning::kind)
                .containsExactly("access-time-check-off", "access-times-ignored");
        assertThat(fixture.task.warnings).hasSize(2);
    }

    @Test
    void safetyCheck_needsNoSpace_whenTheProbeExists() throws Exception {
        old(AtimeSafetyCheck.PROBE);
        long inode = chunks.stat(AtimeSafetyCheck.PROBE).orElseThrow().inode();
        GcReport report = fixture.run();
        assertThat(report.warnings()).isEmpty();
        assertThat(chunks.stat(AtimeSafetyCheck.PROBE).orElseThrow().inode()).isEqualTo(inode);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void r04_longMark_usesTheCutoffOfItsBeginning(String tuning) throws Exception {
        fixture.tuning = tuning;
        ChunkDigest[] used = used(1000);
        AtomicInteger touches = new AtomicInteger();
        chunks.hook = digest -> {
            if (touches.incrementAndGet() == 500) {
                fixture.clockOffset = Duration.ofHours(30);
                fixture.monotonicOffset = Duration.ofHours(30);
            }
        };
        long start = Instant.now().getEpochSecond();
        GcReport report = fixture.run();
        assertThat(report.cutoff()).isBetween(start - 86_700, start - 86_700 + 5);
        assertThat(used).allMatch(chunks::has);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, -61, 108_000, -108_000})
    void clockThatIsSetDuringTheMark_stopsTheRun(long seconds) throws Exception {
        used(10);
        old(digest(-1));
        chunks.hook = digest -> fixture.clockOffset = Duration.ofSeconds(seconds);
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(fixture::run)
                .withMessageContaining(" s ");
        assertThat(chunks.has(digest(-1))).isTrue();
    }

    @Test
    void clockThatIsSetDuringTheSweep_stopsRemoving() throws Exception {
        used(1);
        for (int i = 1; i <= 2000; i++) {
            old(digest(-i));
        }
        AtomicInteger seen = new AtomicInteger();
        chunks.beforeSweepEntry = () -> {
            if (seen.incrementAndGet() == 500) {
                fixture.clockOffset = Duration.ofHours(-30);
            }
        };
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(fixture::run)
                .withMessageContaining("clock was set back")
                .withMessageContaining("removed so far");
        assertThat(chunks.files).hasSizeGreaterThan(1200);
        assertThat(fixture.saved).isNull();
    }

    @Test
    void oldestWriterOfThisProcess_protectsWhatItTouched() throws Exception {
        fixture.tuning = "gc-atime-cutoff=1";
        fixture.clockOffset = Duration.ofHours(-2);
        ProcessLock.Guard writer = fixture.lock().acquireShared();
        fixture.clockOffset = Duration.ZERO;
        chunks.put(digest(1), 100, Instant.now().minus(Duration.ofHours(1)));
        chunks.put(digest(2), 100, Instant.now().minus(Duration.ofHours(2)).minusSeconds(310));
        GcReport report = fixture.run();
        assertThat(chunks.has(digest(1))).isTrue();
        assertThat(chunks.has(digest(2))).isFalse();
        writer.close();
        fixture.run();
        assertThat(chunks.has(digest(1))).isFalse();
        assertThat(report.status().diskChunks()).isEqualTo(2);
    }

    @Test
    void secondRunInOneProcess_isLockedOut() throws Exception {
        used(1);
        GarbageCollector collector = new GarbageCollector(fixture.store());
        AtomicInteger refused = new AtomicInteger();
        chunks.hook = digest -> {
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> collector.run(fixture.task));
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> new GarbageCollector(fixture.store()).run(fixture.task));
            refused.incrementAndGet();
        };
        collector.run(fixture.task);
        assertThat(refused).hasPositiveValue();
        chunks.hook = digest -> {};
        assertThat(collector.run(fixture.task).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void abort_isHonouredInsideAFlush_andTellsTheFiguresSoFar(String tuning) throws Exception {
        fixture.tuning = tuning;
        used(600);
        AtomicInteger touches = new AtomicInteger();
        chunks.hook = digest -> fixture.task.abort = touches.incrementAndGet() == 300;
        assertThatExceptionOfType(TaskAbortedException.class).isThrownBy(fixture::run);
        assertThat(touches).hasValueLessThan(310);
        assertThat(fixture.task.lines).anyMatch(line -> line.startsWith("stopped in phase 1: read "));
        assertThat(fixture.saved).isNull();
        fixture.task.abort = false;
        chunks.hook = digest -> {};
        assertThat(fixture.run().status().diskChunks()).isEqualTo(601);
    }

    @Test
    void abortInTheSweep_keepsWhatIsLeft_andTellsTheFiguresSoFar() throws Exception {
        for (int i = 1; i <= 100; i++) {
            old(digest(-i));
        }
        AtomicInteger seen = new AtomicInteger();
        chunks.beforeSweepEntry = () -> fixture.task.abort = seen.incrementAndGet() == 50;
        assertThatExceptionOfType(TaskAbortedException.class).isThrownBy(fixture::run);
        assertThat(chunks.files).hasSizeGreaterThan(49);
        assertThat(fixture.task.lines).anyMatch(line -> line.startsWith("stopped in phase 2"));
        assertThat(fixture.saved).isNull();
    }

    @Test
    void s06_futureAccessTime_isKept_andCounted() throws Exception {
        chunks.put(digest(5), 100, Instant.now().plus(Duration.ofDays(400)));
        GcReport report = fixture.run();
        assertThat(chunks.has(digest(5))).isTrue();
        assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("future-atime");
        assertThat(report.status().diskChunks()).isEqualTo(2);
    }

    @Test
    void r21_emptyStore_hasNoDivisionByZero() throws Exception {
        fixture.tuning = "gc-atime-safety-check=true";
        GcReport report = fixture.run();
        assertThat(report.warnings()).isEmpty();
        assertThat(report.status().indexFileCount()).isZero();
        assertThat(fixture.task.lines).contains("Deduplication factor: 1.00", "Original data usage: 0 B");
    }
}
