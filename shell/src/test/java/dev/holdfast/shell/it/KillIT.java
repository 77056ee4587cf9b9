package dev.holdfast.shell.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Processes that are killed without warning at random moments: afterwards the store opens, every finished snapshot is what
 * it was, and the next garbage collection goes through.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillIT {

    private static final int ROUNDS = 10;
    private static final int IMAGE_BYTES = 20 * 1024 * 1024 + 123;
    private static final int CHUNK_BYTES = 4 * 1024 * 1024;

    /** Longer than a cutoff of a day. */
    private static final Duration OLD = Duration.ofDays(3);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private long nextTime = 1_700_000_000L;

    private Path directory;
    private Path store;
    private byte[] content;

    @BeforeAll
    void makeStore(@TempDir(factory = MemoryTempDir.class) Path shared) throws Exception {
        directory = shared;
        System.out.println("KillIT seed " + seed);
        ShellProcess.configure(directory);
        store = directory.resolve("store");
        content = new byte[IMAGE_BYTES];
        random.nextBytes(content);
        run(0, "datastore", "create", "demo", store.toString());
    }

    private String run(int code, String... words) throws Exception {
        try (ShellProcess process = ShellProcess.start(directory, words)) {
            assertThat(process.await())
                    .describedAs("seed %s, %s: %s", seed, String.join(" ", words), process.err())
                    .isEqualTo(code);
            return process.out();
        }
    }

    /** Starts a backup of a changed image under a known name. */
    private ShellProcess backup() throws IOException {
        content[random.nextInt(content.length / CHUNK_BYTES) * CHUNK_BYTES] ^= 1;
        Path image = directory.resolve("image");
        Files.write(image, content);
        long time = nextTime++;
        contents.put("vm/1/" + Instant.ofEpochSecond(time), content.clone());
        return ShellProcess.start(
                directory, "backup", "image", "demo", "vm/1", image.toString(), "--time", Long.toString(time));
    }

    private long timed(ShellProcess process) throws InterruptedException {
        long start = System.nanoTime();
        assertThat(process.await())
                .describedAs("seed %s: %s", seed, process.err())
                .isZero();
        return System.nanoTime() - start;
    }

    /** Kills after a random part of the time that an undisturbed run takes. */
    private void killAtRandom(ShellProcess process, long whole) throws Exception {
        LockSupport.parkNanos((long) (whole * (0.3 + 0.8 * random.nextDouble())));
        process.close();
        process.await();
    }

    private void checkSnapshots() throws Exception {
        JsonNode list = JsonMapper.shared().readTree(run(0, "snapshot", "list", "demo", "--output", "json"));
        Map<String, Boolean> finished = new HashMap<>();
        list.forEach(item -> finished.put(
                item.get("snapshot").asString(), item.get("finished").asBoolean()));
        Path script = directory.resolve("script");
        StringBuilder lines = new StringBuilder();
        int number = 0;
        Map<Path, byte[]> expected = new LinkedHashMap<>();
        for (Map.Entry<String, byte[]> entry : contents.entrySet()) {
            if (finished.getOrDefault(entry.getKey(), false)) {
                Path target = directory.resolve("restored-" + number++);
                expected.put(target, entry.getValue());
                lines.append("restore image demo " + entry.getKey() + " drive0 " + target + " --quiet\n");
            }
        }
        Files.writeString(script, lines);
        run(0, "script", script.toString());
        for (Map.Entry<Path, byte[]> entry : expected.entrySet()) {
            assertThat(Files.readAllBytes(entry.getKey())).isEqualTo(entry.getValue());
            Files.delete(entry.getKey());
        }
    }

    /** Makes every chunk look as if nobody had used it for days: only what the next mark touches survives. */
    private void ageChunks() throws IOException {
        FileTime old = FileTime.from(Instant.now().minus(OLD));
        try (Stream<Path> files = Files.walk(store.resolve(".chunks"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(null, old, null);
            }
        }
    }

    @Test
    void killedBackups_harmNothing() throws Exception {
        long whole = timed(backup());
        for (int i = 0; i < ROUNDS; i++) {
            try (ShellProcess backup = backup()) {
                killAtRandom(backup, whole);
            }
            checkSnapshots();
        }
        ageChunks();
        run(0, "gc", "run", "demo");
        checkSnapshots();
        timed(backup());
        checkSnapshots();
    }

    @Test
    void killedCollections_harmNothing() throws Exception {
        timed(backup());
        timed(backup());
        long whole = timed(ShellProcess.start(directory, "gc", "run", "demo"));
        for (int i = 0; i < ROUNDS; i++) {
            timed(backup());
            String newest = contents.keySet().stream().reduce((a, b) -> b).orElseThrow();
            run(0, "snapshot", "forget", "demo", newest);
            ageChunks();
            try (ShellProcess gc = ShellProcess.start(directory, "gc", "run", "demo")) {
                killAtRandom(gc, whole);
            }
        }
        checkSnapshots();
        run(0, "gc", "run", "demo");
        checkSnapshots();
        run(0, "verify", "run", "demo");
    }
}
