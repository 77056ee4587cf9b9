package dev.holdfast.testkit.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.restore.ContentKey;
import dev.holdfast.datastore.restore.ParallelReader;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.TestStore.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ParallelReaderTest {

    private static final ArchiveName IMAGE = new ArchiveName("drive0.img.fidx");
    private static final SnapshotId ID = SnapshotId.parse("vm/1/2026-01-01T00:00:00Z");
    private static final int CHUNK = 4096;

    @TempDir
    Path base;

    private TestStore fixture;
    private FilesystemDatastore store;

    @BeforeEach
    void make() throws IOException {
        fixture = TestStore.in(base);
        store = fixture.open();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void runOfEqualChunks_isLoadedOnce() throws IOException {
        byte[] image = image(64, i -> i < 60 ? 0 : i);
        Watched watched = new Watched(store.chunks());

        assertThat(read(watched, 2, 16L * CHUNK)).isEqualTo(image);

        assertThat(watched.loads.get()).isLessThan(5 + 60 / 8);
    }

    @Test
    void chunksAhead_areBounded() throws IOException {
        image(64, i -> i);
        Watched watched = new Watched(store.chunks());
        List<Integer> ahead = new ArrayList<>();
        try (SnapshotReader reader = open();
                IndexReader index = reader.index(IMAGE)) {
            new ParallelReader(watched, index, ContentKey.PLAIN, new ParallelReader.Limits(4, 4L * CHUNK))
                    .forEach(
                            TaskContext.silent(),
                            (position, data) -> ahead.add(watched.loads.get() - (int) (position / CHUNK)));
        }
        assertThat(ahead).hasSize(64).allMatch(loads -> loads >= 1 && loads <= 4);
    }

    @Test
    void limitBelowOneChunk_readsOneAtATime() throws IOException {
        byte[] image = image(8, i -> i);

        assertThat(read(store.chunks(), 4, 1)).isEqualTo(image);
    }

    @Test
    void missingChunk_endsTheStreamAfterWhatCameBefore() throws IOException {
        byte[] image = image(16, i -> i);
        Watched watched = new Watched(store.chunks());
        byte[] tenth = Arrays.copyOfRange(image, 10 * CHUNK, 11 * CHUNK);
        watched.missing = fixture.chunk(tenth).digest();
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (SnapshotReader reader = open();
                IndexReader index = reader.index(IMAGE)) {
            ParallelReader parallel =
                    new ParallelReader(watched, index, ContentKey.PLAIN, new ParallelReader.Limits(4, 8L * CHUNK));
            assertThatThrownBy(
                            () -> parallel.forEach(TaskContext.silent(), (position, data) -> target.writeBytes(data)))
                    .isInstanceOf(ChunkMissingException.class);
        }
        assertThat(target.toByteArray()).isEqualTo(Arrays.copyOf(image, 10 * CHUNK));
    }

    @Test
    void failureOfTheConsumer_isItsOwn() throws IOException {
        image(16, i -> i);
        try (SnapshotReader reader = open();
                IndexReader index = reader.index(IMAGE)) {
            ParallelReader parallel =
                    new ParallelReader(store.chunks(), index, ContentKey.PLAIN, ParallelReader.Limits.DEFAULT);
            assertThatThrownBy(() -> parallel.forEach(TaskContext.silent(), (position, data) -> {
                        throw new DatastoreException("the target is full");
                    }))
                    .hasMessage("the target is full");
        }
    }

    @Test
    @Timeout(30)
    void abort_isHonouredWhileAChunkHangs() throws IOException {
        image(4, i -> i);
        Watched watched = new Watched(store.chunks());
        watched.hang = new CountDownLatch(1);
        TaskContext aborted = new Aborted();
        try (SnapshotReader reader = open();
                IndexReader index = reader.index(IMAGE)) {
            ParallelReader parallel =
                    new ParallelReader(watched, index, ContentKey.PLAIN, ParallelReader.Limits.DEFAULT);
            assertThatThrownBy(() -> parallel.forEach(aborted, (position, data) -> {}))
                    .isInstanceOf(TaskAbortedException.class);
        }
    }

    @Test
    void limits_areChecked() {
        assertThatThrownBy(() -> new ParallelReader.Limits(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ParallelReader.Limits(33, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private interface Content {
        int of(int record);
    }

    private byte[] image(int records, Content content) throws IOException {
        byte[] image = new byte[records * CHUNK];
        try (BackupSession session = store.backups().start(BackupNamespace.ROOT, ID, TestStore.OWNER);
                BackupSession.FixedArchive archive = session.fixedArchive(IMAGE, image.length, CHUNK)) {
            for (int i = 0; i < records; i++) {
                Arrays.fill(image, i * CHUNK, (i + 1) * CHUNK, (byte) content.of(i));
                Chunk chunk = fixture.chunk(Arrays.copyOfRange(image, i * CHUNK, (i + 1) * CHUNK));
                session.insertChunk(chunk.digest(), chunk.blob());
                archive.set(i, chunk.digest());
            }
            archive.finish(CryptMode.NONE);
            session.finish(null);
        }
        return image;
    }

    private byte[] read(ChunkStore chunks, int workers, long ahead) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (SnapshotReader reader = open();
                IndexReader index = reader.index(IMAGE)) {
            new ParallelReader(chunks, index, ContentKey.PLAIN, new ParallelReader.Limits(workers, ahead))
                    .forEach(TaskContext.silent(), (position, data) -> {
                        assertThat(position).isEqualTo(target.size());
                        target.writeBytes(data);
                    });
        }
        return target.toByteArray();
    }

    private SnapshotReader open() throws DatastoreException {
        return store.snapshots().snapshot(BackupNamespace.ROOT, ID).open(null);
    }

    private static final class Aborted implements TaskContext {

        @Override
        public void log(String line) {}

        @Override
        public void warn(String line) {}

        @Override
        public void progress(String phase, long done, long total, String unit) {}

        @Override
        public void checkAbort() throws TaskAbortedException {
            throw new TaskAbortedException();
        }
    }

    /** Counts loads, and fails or hangs them on demand. */
    private static final class Watched implements ChunkStore {

        private final ChunkStore store;
        private final AtomicInteger loads = new AtomicInteger();
        private volatile @Nullable ChunkDigest missing;
        private volatile @Nullable CountDownLatch hang;

        Watched(ChunkStore store) {
            this.store = store;
        }

        @Override
        public DataBlob load(ChunkDigest digest) throws DatastoreException {
            loads.incrementAndGet();
            CountDownLatch latch = hang;
            if (latch != null) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    throw new DatastoreException("interrupted", e);
                }
            }
            if (digest.equals(missing)) {
                throw new ChunkMissingException(digest, "no chunk " + digest);
            }
            return store.load(digest);
        }

        @Override
        public InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
            return store.insert(digest, blob);
        }

        @Override
        public Optional<ChunkStat> stat(ChunkDigest digest) throws DatastoreException {
            return store.stat(digest);
        }

        @Override
        public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
            return store.touch(batch, task);
        }

        @Override
        public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
            return store.sweep(policy, task);
        }

        @Override
        public OptionalInt quarantine(ChunkDigest digest) throws DatastoreException {
            return store.quarantine(digest);
        }

        @Override
        public List<ChunkDigest> readOrder(List<ChunkDigest> digests) throws DatastoreException {
            return store.readOrder(digests);
        }

        @Override
        public void close() {}
    }
}
