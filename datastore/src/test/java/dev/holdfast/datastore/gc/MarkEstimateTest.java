package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.gc.MarkEstimate.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The estimate on a store that is as uneven as stores are, with a clock that the test moves: in each group the newest
 * snapshot costs a touch for most references, the others hardly any; groups differ in size by a factor of a hundred;
 * some groups share most chunks with an earlier one.
 */
class MarkEstimateTest {

    private static final long REFERENCE_NANOS = 300;
    private static final long INDEX_NANOS = 3_000_000;

    private record Index(int references, int firstEncounters) {}

    /** When an estimate was made, and what it was; nanoseconds. */
    private record Estimate(long at, long left) {}

    private static List<Index> skewedStore(Random random) {
        List<Index> indexes = new ArrayList<>();
        for (int group = 0; group < 60; group++) {
            int size = (int) (200 * Math.pow(100, random.nextDouble()));
            double fresh = group % 5 == 4 ? 0.1 : 1;
            int snapshots = 3 + random.nextInt(20);
            for (int i = 0; i < snapshots; i++) {
                indexes.add(new Index(size, (int) (size * (i == 0 ? fresh : 0.01))));
            }
        }
        return indexes;
    }

    private long now;

    private List<Estimate> simulate(List<Index> indexes, MarkEstimate estimate, long touchNanos, int batch) {
        long totalReferences = indexes.stream().mapToLong(Index::references).sum();
        List<Estimate> estimates = new ArrayList<>();
        long references = 0;
        long waiting = 0;
        long done = 0;
        for (int number = 0; number < indexes.size(); number++) {
            Index index = indexes.get(number);
            now += number == 0 ? 0 : INDEX_NANOS;
            estimate.readingBegan();
            for (int i = 0; i < index.references(); i++) {
                now += REFERENCE_NANOS;
                references++;
                if (i < index.firstEncounters() && ++waiting == batch) {
                    flush(estimate, waiting, touchNanos);
                    waiting = 0;
                }
                if (references % MarkProgress.INTERVAL == 0) {
                    record(estimates, estimate, waiting, new Count(references, totalReferences), done, indexes);
                }
            }
            estimate.readingEnded();
            done++;
            record(estimates, estimate, waiting, new Count(references, totalReferences), done, indexes);
        }
        flush(estimate, waiting, touchNanos);
        return estimates;
    }

    private void record(
            List<Estimate> to, MarkEstimate estimate, long waiting, Count references, long done, List<Index> indexes) {
        long millis = estimate.remainingMillis(waiting, references, new Count(done, indexes.size()));
        to.add(new Estimate(now, millis < 0 ? -1 : millis * 1_000_000));
    }

    private void flush(MarkEstimate estimate, long size, long touchNanos) {
        if (size > 0) {
            estimate.flushBegan((int) size);
            now += size * touchNanos;
            estimate.flushEnded(1);
        }
    }

    private static Optional<GarbageCollectionStatus> status(long chunks, Optional<CacheStats> cache) {
        return Optional.of(new GarbageCollectionStatus(Optional.empty(), 1, 1, 1, chunks, 0, 0, 0, 0, 0, 0, cache));
    }

    @ParameterizedTest
    @CsvSource({
        "1,30000,1,true",
        "2,30000,1,true",
        "3,3000,1,true",
        "4,3000,1,true", // direct, cold and warm
        "1,20000,4096,true",
        "2,20000,4096,true",
        "5,2000,4096,true", // batched
        "1,30000,1,false",
        "2,20000,4096,false",
        "6,3000,1,false" // knows the number of chunks only
    })
    void fromTheFifthOn_timeLeftIsRightWithinAQuarter(long seed, long touchNanos, int batch, boolean cacheStats) {
        Random random = new Random(seed);
        List<Index> indexes = skewedStore(random);
        long references = indexes.stream().mapToLong(Index::references).sum();
        long misses = indexes.stream().mapToLong(Index::firstEncounters).sum();
        // The run before was a day ago: four in a hundred less of everything.
        long before = misses * 96 / 100;
        MarkEstimate estimate = new MarkEstimate(
                () -> now,
                true,
                status(
                        before,
                        cacheStats
                                ? Optional.of(new CacheStats(references * 96 / 100 - before, before))
                                : Optional.empty()));
        long began = now;
        List<Estimate> estimates = simulate(indexes, estimate, touchNanos, batch);
        long took = now - began;
        int looked = 0;
        for (Estimate made : estimates) {
            long elapsed = made.at() - began;
            // Close to the end a quarter of what is left is nothing; there the estimate is held to a fiftieth of all,
            // or
            // to a twenty-fifth if the earlier run did not say how many references it had, so that growth is not known.
            if (elapsed >= took / 5) {
                looked++;
                long left = took - elapsed;
                assertThat((double) Math.abs(made.left() - left))
                        .as("seed %s, at %s %%: %s instead of %s", seed, elapsed * 100 / took, made.left(), left)
                        .isLessThanOrEqualTo(Math.max(left / 4.0, took / (cacheStats ? 50.0 : 25.0)));
            }
        }
        assertThat(looked).isGreaterThan(20);
    }

    @Test
    void counts_alone_wouldBeFarOff() {
        List<Index> indexes = new ArrayList<>();
        indexes.add(new Index(100_000, 100_000));
        for (int i = 0; i < 9; i++) {
            indexes.add(new Index(100_000, 1000));
        }
        MarkEstimate estimate = new MarkEstimate(() -> now, true, status(109_000, Optional.empty()));
        List<Estimate> estimates = simulate(indexes, estimate, 30_000, 1);
        Estimate half = estimates.get(48);
        long left = now - half.at();
        assertThat((double) half.left()).isBetween(left * 0.9, left * 1.1);
        // 5 % of the references have passed in nearly half of the time.
        assertThat(half.at() * 19.0 / left).isGreaterThan(10);
    }

    @Test
    void withoutAnEarlierRun_theLatestShareStandsIn() {
        List<Index> indexes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            indexes.add(new Index(10_000, 1000));
        }
        MarkEstimate estimate = new MarkEstimate(() -> now, true, Optional.empty());
        List<Estimate> estimates = simulate(indexes, estimate, 5_000, 1);
        for (Estimate made : estimates.subList(estimates.size() / 2, estimates.size() - 40)) {
            long left = now - made.at();
            assertThat((double) made.left()).isBetween(left * 0.7, left * 1.3);
        }
    }

    @Test
    void nothingTouchedYet_isNoBasis_unlessNothingIsTouchedAnyway() {
        MarkEstimate touching = new MarkEstimate(() -> now, true, status(100, Optional.empty()));
        MarkEstimate set = new MarkEstimate(() -> now, false, status(100, Optional.empty()));
        for (MarkEstimate estimate : List.of(touching, set)) {
            estimate.readingBegan();
        }
        now += 1_000_000_000;
        assertThat(touching.remainingMillis(50, new Count(500, 1000), new Count(0, 1)))
                .isEqualTo(MarkEstimate.UNKNOWN);
        assertThat(set.remainingMillis(0, new Count(500, 1000), new Count(0, 1)))
                .isEqualTo(1000);
    }

    @Test
    void insideAFlush_theTouchesDoneSoFarCount() {
        MarkEstimate estimate = new MarkEstimate(() -> now, true, status(1000, Optional.empty()));
        estimate.readingBegan();
        now += 1_000_000_000;
        estimate.readingEnded();
        estimate.flushBegan(1000);
        now += 3_000_000_000L;
        estimate.flushAdvanced(700);
        assertThat(estimate.remainingMillis(1000, new Count(5000, 5000), new Count(1, 1)))
                .isEqualTo(7000);
    }
}
