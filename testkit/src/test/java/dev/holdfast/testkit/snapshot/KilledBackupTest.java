package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.TestStore.Chunk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backup in another process, which is then killed. */
class KilledBackupTest {

    private static final BackupNamespace ROOT = BackupNamespace.ROOT;
    private static final ArchiveName DATA = new ArchiveName("data.pxar.didx");

    @TempDir
    Path base;

    @Test
    @Timeout(60)
    void otherProcess_excludesUntilItIsKilledAndLeavesAnUnfinishedSnapshot() throws IOException, InterruptedException {
        TestStore fixture = TestStore.in(base);
        try (FilesystemDatastore store = fixture.open()) {
            fixture.backup(store, day(1), fixture.chunk("x"));
            Process child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Child.class.getName(),
                            base.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(output.readLine()).isEqualTo("running");

                assertThatThrownBy(() -> store.backups().start(ROOT, day(3), TestStore.OWNER))
                        .isInstanceOf(LockTimeoutException.class);
                assertThatThrownBy(
                                () -> store.snapshots().snapshot(ROOT, day(2)).forget())
                        .isInstanceOf(LockTimeoutException.class);
                assertThatThrownBy(
                                () -> store.snapshots().snapshot(ROOT, day(1)).forget())
                        .isInstanceOf(LockTimeoutException.class);
                assertThatThrownBy(() -> store.processLock().orElseThrow().acquireExclusive())
                        .isInstanceOf(LockTimeoutException.class);
            } finally {
                child.destroyForcibly();
                child.waitFor();
            }

            assertThat(store.snapshots().snapshot(ROOT, day(2)).exists()).isTrue();
            assertThat(store.snapshots().snapshot(ROOT, day(2)).isFinished()).isFalse();
            store.processLock().orElseThrow().acquireExclusive().close();
            fixture.backup(store, day(3), fixture.chunk("y"));
            store.snapshots().snapshot(ROOT, day(2)).forget();
            try (SnapshotReader reader =
                    store.snapshots().snapshot(ROOT, day(3)).open(null)) {
                assertThat(reader.manifest().files()).hasSize(1);
            }
        }
    }

    private static SnapshotId day(int day) {
        return SnapshotId.parse("vm/100/2026-01-0" + day + "T00:00:00Z");
    }

    /** What the other process runs: half a backup. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            Path base = Path.of(args[0]);
            TestStore fixture = TestStore.at(base.resolve("store"), base.resolve("locks"));
            Chunk chunk = fixture.chunk("half");
            FilesystemDatastore store = fixture.open();
            BackupSession session = store.backups().start(ROOT, day(2), TestStore.OWNER);
            session.insertChunk(chunk.digest(), chunk.blob());
            session.dynamicArchive(DATA).add(chunk.digest(), 4);
            System.out.println("running");
            int end = System.in.read();
            throw new IllegalStateException("not killed, but told to end: " + end);
        }
    }
}
