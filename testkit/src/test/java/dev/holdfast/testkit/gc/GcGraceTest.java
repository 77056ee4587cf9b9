package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.GcFixture.T1;
import static dev.holdfast.testkit.gc.Indexes.digest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.posix.Errno;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** How long an unreferenced chunk stays after the run that first found it so. */
@ParameterizedClass
@ValueSource(strings = {"gc-marking=access-time", "gc-marking=mark-set"})
class GcGraceTest {

    private static final ChunkDigest USED = digest(1);
    private static final ChunkDigest OTHER = digest(2);
    private static final ChunkDigest GARBAGE = digest(-1);

    @Parameter
    String marking;

    @TempDir
    Path temp;

    private GcFixture fixture;
    private MemoryChunkStore chunks;
    private Path notes;

    @BeforeEach
    void open() throws IOException {
        fixture = new GcFixture(temp.resolve("store"));
        fixture.marking = marking;
        fixture.tuning = "gc-grace=600";
        chunks = new MemoryChunkStore(fixture.clock);
        fixture.makeChunks = files -> chunks;
        notes = fixture.root.resolve(".gc-grace");
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", USED);
        for (ChunkDigest digest : new ChunkDigest[] {USED, OTHER, GARBAGE}) {
            chunks.put(digest, 100, Instant.now().minus(GcFixture.LONG_AGO));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private GcReport runAfter(Duration since) throws IOException {
        fixture.clockOffset = since;
        fixture.monotonicOffset = since;
        return fixture.run();
    }

    @Test
    void unreferencedChunk_staysForTheGraceAndNoLonger() throws IOException {
        GcReport first = runAfter(Duration.ZERO);
        assertThat(first.status().pendingChunks()).isEqualTo(2);
        assertThat(first.status().pendingBytes()).isEqualTo(200);
        assertThat(first.status().removedChunks()).isZero();
        assertThat(Files.size(notes)).isEqualTo(16 + 2 * 40 + 32);
        assertThat(runAfter(Duration.ofMinutes(599)).status().removedChunks()).isZero();
        GcReport last = runAfter(Duration.ofMinutes(600).plusSeconds(1));
        assertThat(last.status().removedChunks()).isEqualTo(2);
        assertThat(last.removable()).isEmpty();
        assertThat(chunks.has(GARBAGE)).isFalse();
        assertThat(chunks.has(USED)).isTrue();
        assertThat(notes).doesNotExist();
    }

    @Test
    void removableTimes_areFullHoursAfterGraceAndCutoff() throws IOException {
        chunks.put(digest(3), 7, Instant.now().minus(Duration.ofHours(1)));
        long now = Instant.now().getEpochSecond();
        for (GcReport report : new GcReport[] {fixture.dryRun(), fixture.run()}) {
            assertThat(report.removable()).hasSize(2);
            GcReport.Removable grace = report.removable().get(0);
            assertThat(grace.chunks()).isEqualTo(2);
            assertThat(grace.bytes()).isEqualTo(200);
            assertThat(grace.at() % 3600).isZero();
            assertThat(grace.at()).isBetween(now + 600 * 60, now + 600 * 60 + 3600 + 5);
            GcReport.Removable cutoff = report.removable().get(1);
            assertThat(cutoff.chunks()).isEqualTo(1);
            assertThat(cutoff.bytes()).isEqualTo(7);
            assertThat(cutoff.at()).isBetween(now + (1445 - 60) * 60, now + (1445 - 60) * 60 + 3600 + 5);
            assertThat(report.status().pendingBytes()).isEqualTo(207);
        }
    }

    @Test
    void dryRun_writesNoNotes_andHeedsThem() throws IOException {
        assertThat(fixture.dryRun().candidates()).isEmpty();
        assertThat(notes).doesNotExist();
        runAfter(Duration.ZERO);
        fixture.clockOffset = Duration.ofMinutes(601);
        fixture.monotonicOffset = fixture.clockOffset;
        byte[] before = Files.readAllBytes(notes);
        assertThat(fixture.dryRun().candidates()).hasSize(2);
        assertThat(Files.readAllBytes(notes)).isEqualTo(before);
    }

    @Test
    void chunkThatWasUsedInBetween_hasItsGraceAnew() throws IOException {
        runAfter(Duration.ZERO);
        // A backup stores it again, and is forgotten before the next run.
        chunks.put(OTHER, 100, Instant.now().plus(Duration.ofMinutes(10)));
        assertThat(runAfter(Duration.ofDays(3)).status().removedChunks()).isEqualTo(1);
        assertThat(chunks.has(OTHER)).isTrue();
        assertThat(runAfter(Duration.ofDays(3).plusMinutes(601)).status().removedChunks())
                .isEqualTo(1);
        assertThat(chunks.has(OTHER)).isFalse();
    }

    @Test
    void chunkThatWasReferencedInBetween_isForgotten() throws IOException {
        runAfter(Duration.ZERO);
        Path index = fixture.index("vm/100/2024-01-05T00:00:00Z/x.fidx", OTHER);
        runAfter(Duration.ofMinutes(100));
        Files.delete(index);
        GcReport report = runAfter(Duration.ofMinutes(100).plusDays(3));
        assertThat(chunks.has(GARBAGE)).isFalse();
        assertThat(chunks.has(OTHER)).isTrue();
        assertThat(report.status().pendingChunks()).isEqualTo(1);
    }

    @Test
    void lostOrDamagedNotes_makeTheGraceBeginAnew() throws IOException {
        runAfter(Duration.ZERO);
        byte[] good = Files.readAllBytes(notes);
        byte[] flipped = good.clone();
        flipped[40] ^= 1;
        byte[] foreign = good.clone();
        foreign[7] ^= 3;
        int step = 0;
        for (byte[] bad : new byte[][] {flipped, foreign, Arrays.copyOf(good, 50), Arrays.copyOf(good, 3), {}}) {
            Files.write(notes, bad);
            GcReport report = runAfter(Duration.ofMinutes(601 + 700L * step++));
            assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("grace-lost");
            assertThat(report.status().removedChunks()).isZero();
        }
        Files.delete(notes);
        GcReport report = runAfter(Duration.ofMinutes(601 + 700L * step));
        assertThat(report.warnings()).isEmpty();
        assertThat(report.status().removedChunks()).isZero();
        assertThat(runAfter(Duration.ofMinutes(601 + 700L * step + 601))
                        .status()
                        .removedChunks())
                .isEqualTo(2);
    }

    @Test
    void notesThatCannotBeRead_makeTheGraceBeginAnew() throws IOException {
        runAfter(Duration.ZERO);
        fixture.fail(PosixOperation.OPEN_FOR_READING, "gc-grace", Errno.EIO);
        GcReport report = runAfter(Duration.ofMinutes(601));
        assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("grace-lost");
        assertThat(report.status().removedChunks()).isZero();
    }

    @Test
    void notesThatCannotBeSaved_areRemoved() throws IOException {
        runAfter(Duration.ZERO);
        fixture.fail(PosixOperation.CREATE, "gc-grace", Errno.ENOSPC);
        GcReport report = runAfter(Duration.ofMinutes(100));
        assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("grace-not-saved");
        assertThat(notes).doesNotExist();
    }

    @Test
    void runWithoutGrace_leavesNoNotes() throws IOException {
        runAfter(Duration.ZERO);
        assertThat(notes).exists();
        fixture.tuning = "";
        assertThat(runAfter(Duration.ofMinutes(1)).status().removedChunks()).isEqualTo(2);
        assertThat(notes).doesNotExist();
    }

    @Test
    void clockThatWasSetBackBetweenRuns_makesTheGraceBeginAnew() throws IOException {
        runAfter(Duration.ofDays(2));
        assertThat(runAfter(Duration.ZERO).status().removedChunks()).isZero();
        assertThat(runAfter(Duration.ofMinutes(599)).status().removedChunks()).isZero();
        assertThat(runAfter(Duration.ofMinutes(601)).status().removedChunks()).isEqualTo(2);
    }
}
