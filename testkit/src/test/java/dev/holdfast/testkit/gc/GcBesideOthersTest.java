package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.GcFixture.T1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.gc.GcStore;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.testkit.MiniDatastore;
import dev.holdfast.testkit.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Beside backups, with many snapshots, on mounts of several kinds. */
class GcBesideOthersTest {

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"gc-atime-cutoff=1", "gc-atime-cutoff=1,gc-prefetch-batch-size=1024"})
    void backupsOfTheSameProcess_neverLoseAChunk(String tuning) throws Exception {
        TestStore base = TestStore.in(temp);
        Files.createDirectories(base.root().resolve(".chunks/bb9f"));
        List<TestStore.Chunk> pool = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestStore.Chunk chunk = base.chunk("pool " + i);
            pool.add(chunk);
            Files.write(base.file(chunk.digest()), chunk.blob().encoded());
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CyclicBarrier barrier = new CyclicBarrier(2);
        try (FilesystemDatastore store = base.factory()
                .open(
                        new dev.holdfast.datastore.StoreSettings(
                                "store", base.root(), dev.holdfast.api.config.DatastoreTuning.parse(tuning)),
                        AccessMode.READ_WRITE)) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            Thread writer = new Thread(() -> {
                try {
                    for (int round = 0; round < 8; round++) {
                        barrier.await(30, TimeUnit.SECONDS);
                        TestStore.Chunk[] chunks = new TestStore.Chunk[12];
                        for (int i = 0; i < chunks.length; i++) {
                            chunks[i] = pool.get(random.nextInt(pool.size()));
                        }
                        base.backup(store, SnapshotId.parse("host/a/2024-01-0" + (round + 1) + "T00:00:00Z"), chunks);
                        barrier.await(30, TimeUnit.SECONDS);
                    }
                } catch (Exception | AssertionError e) {
                    failure.set(e);
                }
            });
            writer.start();
            GcStore.Time time = new GcStore.Time(Clock.systemUTC(), System::nanoTime, duration -> Thread.sleep(10));
            for (int round = 0; round < 8; round++) {
                for (TestStore.Chunk chunk : pool) {
                    if (Files.exists(base.file(chunk.digest()))) {
                        GcFixture.age(base.file(chunk.digest()), GcFixture.LONG_AGO);
                    }
                }
                barrier.await(30, TimeUnit.SECONDS);
                GcReport report = store.garbageCollector(time, Map.of()).run(TaskContext.silent());
                assertThat(report.warnings()).as("seed %s", seed).isEmpty();
                barrier.await(30, TimeUnit.SECONDS);
            }
            writer.join();
            assertThat(failure.get()).as("seed %s", seed).isNull();
            try (Stream<Path> paths = Files.walk(base.root())) {
                for (Path index :
                        paths.filter(path -> path.toString().endsWith(".didx")).toList()) {
                    try (IndexReader reader = IndexReader.open(GcFixture.REAL, index)) {
                        for (long i = 0; i < reader.count(); i++) {
                            assertThat(base.file(reader.digest(i)))
                                    .as("seed %s", seed)
                                    .exists();
                        }
                    }
                }
            }
            assertThat(store.gcStatus()).isPresent();
            assertThat(store.snapshots()
                            .snapshots(
                                    BackupNamespace.ROOT,
                                    SnapshotId.parse("host/a/2024-01-01T00:00:00Z")
                                            .group()))
                    .hasSize(8);
        }
    }

    @Test
    void r09_manySnapshots_leaveNoDescriptorOpen() throws Exception {
        try (GcFixture fixture = new GcFixture(temp.resolve("store"))) {
            ChunkDigest chunk = Indexes.digest(1);
            fixture.chunk(chunk);
            for (int i = 0; i < 2000; i++) {
                fixture.snapshot("vm/100", SnapshotId.formatTime(1_700_000_000L + i), "a.img.fidx", chunk);
            }
            fixture.run();
            long before = descriptors();
            assertThat(fixture.run().status().indexFileCount()).isEqualTo(2000);
            assertThat(fixture.dryRun().status().indexFileCount()).isEqualTo(2000);
            assertThat(descriptors()).isLessThanOrEqualTo(before + 2);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void r07_nestedStoreBehindABindMount_isRefused_inBothDirections() throws Exception {
        try (GcFixture fixture = new GcFixture(temp.resolve("store"))) {
            Path inner = Files.createDirectories(fixture.root.resolve("b"));
            Path elsewhere = Files.createDirectories(temp.resolve("mnt"));
            assumeTrue(mounted("--bind", inner.toString(), elsewhere.toString()), "needs the right to mount");
            try {
                fixture.others.put("bound", elsewhere);
                assertThatExceptionOfType(SafetyException.class)
                        .isThrownBy(() -> fixture.run())
                        .withMessageContaining("store1")
                        .withMessageContaining("bound");
                try (GcFixture mount = new GcFixture(elsewhere)) {
                    mount.others.put("outer", fixture.root);
                    assertThatExceptionOfType(SafetyException.class).isThrownBy(() -> mount.run());
                }
            } finally {
                assertThat(command("umount", elsewhere.toString())).isTrue();
            }
        }
    }

    @Test
    void dryRun_onAReadOnlyMountThatKeepsEveryAccessTime_works() throws Exception {
        Path mount = Files.createDirectories(temp.resolve("mnt"));
        assumeTrue(mounted("-t", "tmpfs", "-o", "strictatime", "none", mount.toString()), "needs the right to mount");
        try {
            Path root = MiniDatastore.unpack(mount);
            Path chunk = root.resolve(".chunks/e20a/e20aba5ef47bb46f2c0e242eace442b4255daf71c97982fe6d23099b5652dcb8");
            List<Path> looked = List.of(
                    root,
                    root.resolve(".chunks"),
                    chunk.getParent(),
                    chunk,
                    root.resolve("host/mini"),
                    root.resolve("host/mini/2024-01-02T03:04:05Z/disk.img.fidx"),
                    root.resolve("host/mini/2024-01-02T03:04:05Z/index.json.blob"));
            try (GcFixture fixture = GcFixture.readOnly(root)) {
                fixture.tuning = "gc-atime-safety-check=false";
                List<Long> before = accessTimes(looked);
                assertThat(fixture.dryRun().candidates()).hasSize(2);
                assertThat(accessTimes(looked)).isEqualTo(before);
                assertThat(command("mount", "-o", "remount,ro", mount.toString()))
                        .isTrue();
                assertThat(fixture.dryRun().status().diskBytes()).isEqualTo(800_336);
            }
        } finally {
            assertThat(command("umount", mount.toString())).isTrue();
        }
    }

    private static List<Long> accessTimes(List<Path> paths) throws IOException {
        List<Long> times = new ArrayList<>();
        for (Path path : paths) {
            times.add(GcFixture.accessTime(path).toEpochMilli());
        }
        return times;
    }

    @Test
    void fullDisk_letsARunFinish() throws Exception {
        Path mount = Files.createDirectories(temp.resolve("mnt"));
        assumeTrue(mounted("-t", "tmpfs", "-o", "size=8m", "none", mount.toString()), "needs the right to mount");
        try {
            try (GcFixture fixture = new GcFixture(mount.resolve("store"))) {
                fixture.snapshot("vm/100", T1, "a.img.fidx", Indexes.digest(1));
                fixture.chunk(Indexes.digest(1));
                fixture.run();
                Path garbage = fixture.chunk(Indexes.digest(2));
                fill(mount.resolve("ballast"));
                GcReport report = fixture.run();
                assertThat(garbage).doesNotExist();
                assertThat(report.warnings()).isEmpty();
            }
        } finally {
            assertThat(command("umount", mount.toString())).isTrue();
        }
    }

    private static void fill(Path ballast) {
        byte[] block = "x".repeat(4096).getBytes(StandardCharsets.US_ASCII);
        try (var out = Files.newOutputStream(ballast)) {
            for (int i = 0; i < 4096; i++) {
                out.write(block);
            }
            throw new AssertionError("the disk does not get full");
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static boolean mounted(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("mount"));
        words.addAll(List.of(arguments));
        return command(words.toArray(String[]::new));
    }

    private static boolean command(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
