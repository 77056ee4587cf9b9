package dev.holdfast.shell.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two processes on one store, and Ctrl-C. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SignalsIT {

    /** Zeros that take no room, but whose hashing takes far longer than the tests need. */
    private static final long IMAGE_BYTES = 64L << 30;

    private Path directory;

    private Path store;
    private Path image;

    @BeforeAll
    void makeStore(@TempDir(factory = MemoryTempDir.class) Path shared) throws Exception {
        directory = shared;
        ShellProcess.configure(directory);
        store = directory.resolve("store");
        image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE_BYTES);
        }
        try (ShellProcess create = ShellProcess.start(directory, "datastore", "create", "demo", store.toString())) {
            assertThat(create.await()).describedAs(create.err()).isZero();
        }
    }

    private ShellProcess runningBackup(String group) throws Exception {
        ShellProcess backup = ShellProcess.start(directory, "backup", "image", "demo", group, image.toString());
        while (!hasIndexInTheMaking(group)) {
            assertThat(backup.isAlive()).describedAs(backup.err()).isTrue();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return backup;
    }

    private boolean hasIndexInTheMaking(String name) throws IOException {
        Path group = store.resolve(name);
        if (!Files.exists(group)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(group)) {
            return files.anyMatch(file -> file.toString().endsWith(".tmp_fidx"));
        }
    }

    @Test
    void collectionBesideAnotherProcessesBackup_isRefusedByTheLock() throws Exception {
        try (ShellProcess backup = runningBackup("vm/1");
                ShellProcess gc = ShellProcess.start(directory, "gc", "run", "demo", "--output", "json")) {
            assertThat(gc.await()).isEqualTo(11);
            assertThat(gc.out()).isEmpty();
            assertThat(gc.err()).contains(store.resolve(".lock").toString());
            assertThat(gc.err().lines()).hasSize(1);
            assertThat(backup.isAlive()).isTrue();

            try (ShellProcess dry = ShellProcess.start(directory, "gc", "run", "demo", "--dry-run")) {
                assertThat(dry.await()).describedAs(dry.err()).isZero();
            }
        }
    }

    @Test
    void interruptedBackup_endsSoonWithItsFiguresAndLeavesNothing() throws Exception {
        try (ShellProcess backup = runningBackup("vm/2")) {
            long start = System.nanoTime();
            backup.signal("INT");
            assertThat(backup.await()).isEqualTo(130);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(backup.err()).contains("aborted", "backup: ", "64 GiB");
            assertThat(backup.out()).isEmpty();
            assertThat(store.resolve("vm/2")).doesNotExist();
        }
    }
}
