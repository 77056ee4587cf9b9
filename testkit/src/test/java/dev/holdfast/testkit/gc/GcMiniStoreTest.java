package dev.holdfast.testkit.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.testkit.MiniDatastore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures of the mini store, which the original collector gave as well. */
class GcMiniStoreTest {

    private static final String ORPHAN = "540b/540be8899b5c135b63198bdd2ad3323e8396df524785604c3b9af43e026df5ff";
    private static final String BAD = "9d0f/9d0f8028fa818a5f516179469b82b1d800f5be8353f432017ee6d0c823891285.0.bad";

    @TempDir
    Path temp;

    private static GarbageCollectionStatus expected(long chunks, long bytes) {
        return new GarbageCollectionStatus(
                Optional.of("UPID:test"),
                8,
                1_600_000,
                bytes,
                chunks,
                56,
                1,
                0,
                0,
                1,
                0,
                Optional.of(new CacheStats(12, 12)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",gc-prefetch-batch-size=1024",
                ",gc-marking=mark-set",
                ",gc-marking=mark-set,gc-cache-capacity=0"
            })
    void figures_areThoseOfTheOriginal(String batch) throws Exception {
        try (GcFixture fixture = new GcFixture(MiniDatastore.unpack(temp))) {
            fixture.tuning = "gc-atime-safety-check=false" + batch;
            GcReport report = fixture.run();
            assertThat(report.status()).isEqualTo(expected(12, 800_336));
            assertThat(fixture.layout.chunks().resolve(ORPHAN)).doesNotExist();
            assertThat(fixture.layout.chunks().resolve(BAD)).doesNotExist();
            assertThat(fixture.layout.chunks().resolve(ORPHAN + ".tmp_AbCdEf")).exists();
            assertThat(report.warnings()).extracting(GcReport.Warning::kind).containsExactly("access-time-check-off");
            assertThat(fixture.task.lines)
                    .contains(
                            "starting garbage collection on store store1",
                            "Start GC phase1 (mark used chunks)",
                            "marked 100% (8 of 8 index files)",
                            "Start GC phase2 (sweep unused chunks)",
                            "Chunk cache: hits 12, misses 12 (hit ratio 50.00%)",
                            "Removed garbage: 56 B",
                            "Removed chunks: 1",
                            "Removed bad chunks: 1",
                            "Original data usage: 1.526 MiB",
                            "On-Disk usage: 781.578 KiB (50.02%)",
                            "On-Disk chunks: 12",
                            "Deduplication factor: 2.00",
                            "Average chunk size: 65.131 KiB");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gc-marking=mark-set"})
    void safetyCheck_addsTheProbe(String tuning) throws Exception {
        try (GcFixture fixture = new GcFixture(MiniDatastore.unpack(temp))) {
            fixture.tuning = tuning;
            GcReport dry = fixture.dryRun();
            GcReport report = fixture.run();
            assertThat(report.status().diskChunks()).isEqualTo(13);
            assertThat(report.status().diskBytes()).isBetween(800_336L + 140, 800_336L + 170);
            assertThat(report.warnings()).isEmpty();
            assertThat(dry.status()).isEqualTo(report.status());
        }
    }

    @Test
    void dryRun_namesExactlyWhatARunRemoves() throws Exception {
        try (GcFixture fixture = new GcFixture(MiniDatastore.unpack(temp))) {
            fixture.tuning = "gc-atime-safety-check=false";
            GcReport report = fixture.dryRun();
            assertThat(report.dryRun()).isTrue();
            assertThat(report.candidates()).isEqualTo(List.of(".chunks/" + ORPHAN, ".chunks/" + BAD));
            assertThat(report.status()).isEqualTo(expected(12, 800_336));
            assertThat(report.warnings()).isEmpty();
            assertThat(fixture.saved).isNull();
            assertThat(Files.exists(fixture.layout.chunks().resolve(ORPHAN))).isTrue();
        }
    }
}
