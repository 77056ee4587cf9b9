package dev.holdfast.testkit.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.layout.ChunkName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random small stores: whatever they look like, both ways of marking leave the same, and nothing that is used goes. */
class GcRandomStoreTest {

    private static final List<String> GROUPS =
            List.of("vm/100", "ct/7", "host/a", "ns/x/vm/100", "ns/x/ns/y/host/b", "odd/q");
    private static final Duration YOUNG = Duration.ofHours(23);

    private final Set<ChunkDigest> used = new HashSet<>();
    private final Set<ChunkDigest> young = new HashSet<>();

    @Property(tries = 25)
    void randomStore_losesOnlyWhatIsUnusedAndOld_directAndBatched(@ForAll long seed) throws IOException {
        Path temp = Files.createTempDirectory("holdfast-gc");
        try (GcFixture direct = new GcFixture(temp.resolve("direct"));
                GcFixture batched = new GcFixture(temp.resolve("batched"))) {
            Random random = new Random(seed);
            String cache = "gc-cache-capacity=" + random.nextInt(20);
            direct.tuning = cache;
            batched.tuning = cache + ",gc-prefetch-batch-size=1024";
            fill(direct, new Random(seed + 1));
            used.clear();
            young.clear();
            fill(batched, new Random(seed + 1));
            GcReport dry = direct.dryRun();
            GcReport first = direct.run();
            GcReport second = batched.run();
            assertThat(left(direct)).isEqualTo(left(batched)).doesNotContainAnyElementsOf(dry.candidates());
            assertThat(first.status()).isEqualTo(second.status()).isEqualTo(dry.status());
            assertThat(findings(first)).isEqualTo(findings(second)).isEqualTo(findings(dry));
            for (int i = 0; i < 60; i++) {
                ChunkDigest digest = Indexes.digest(i);
                boolean existed = i % 7 != 0;
                assertThat(direct.has(digest))
                        .as("chunk %s, used %s, young %s", i, used.contains(digest), young.contains(digest))
                        .isEqualTo(existed && (used.contains(digest) || young.contains(digest)));
            }
        } finally {
            try (Stream<Path> paths = Files.walk(temp)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** How often a missing chunk comes up depends on what the cache still knows, and when on the batch. */
    private static Set<List<String>> findings(GcReport report) {
        Set<List<String>> findings = new HashSet<>();
        report.warnings().forEach(w -> findings.add(List.of(w.kind(), w.digest(), w.path())));
        return findings;
    }

    private void fill(GcFixture fixture, Random random) throws IOException {
        for (int i = 0; i < 60; i++) {
            ChunkDigest digest = Indexes.digest(i);
            Files.createDirectories(fixture.chunkPath(digest).getParent());
            if (i % 7 != 0) {
                Path path = fixture.chunk(digest);
                if (random.nextInt(4) == 0) {
                    GcFixture.age(path, YOUNG);
                    young.add(digest);
                }
            }
            for (int n = random.nextInt(8); n < 3; n++) {
                fixture.file(ChunkName.relative(digest) + ChunkName.badSuffix(n), 7);
            }
        }
        int snapshots = random.nextInt(12);
        for (int i = 0; i < snapshots; i++) {
            ChunkDigest[] digests = new ChunkDigest[1 + random.nextInt(30)];
            for (int k = 0; k < digests.length; k++) {
                digests[k] = Indexes.digest(random.nextInt(45));
                used.add(digests[k]);
            }
            String group = GROUPS.get(random.nextInt(GROUPS.size()));
            String archive = random.nextBoolean() ? "a.img.fidx" : "b.pxar.didx";
            String time = "2024-01-" + (10 + i) + "T00:00:00Z";
            if (random.nextInt(3) == 0) {
                fixture.index(group + "/" + time + "/" + archive, digests);
            } else {
                fixture.snapshot(group, time, archive, digests);
            }
        }
    }

    private static List<String> left(GcFixture fixture) throws IOException {
        try (Stream<Path> paths = Files.walk(fixture.root)) {
            return paths.map(path -> fixture.root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }
}
