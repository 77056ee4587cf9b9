package dev.holdfast.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageJobTest {

    private static final ArchiveName DRIVE = new ArchiveName("drive0.img.fidx");
    private static final int CHUNK = ImageWriter.CHUNK_BYTES;

    @TempDir
    Path directory;

    private final RecordingTask task = new RecordingTask();
    private final FaultPlan plan = new FaultPlan();
    private final PosixFiles faulty = new FaultyPosixFiles(JnrPosixFiles.load(), plan);
    private Path image;
    private byte[] content;
    private FilesystemDatastore store;

    @BeforeEach
    void prepare() throws IOException {
        // Two equal chunks, one of zeros, and a short one at the end.
        content = new byte[3 * CHUNK + 1000];
        new Random(11).nextBytes(content);
        System.arraycopy(content, 0, content, CHUNK, CHUNK);
        Arrays.fill(content, 2 * CHUNK, 3 * CHUNK, (byte) 0);
        image = directory.resolve("image");
        store = TestStore.in(directory).open(AccessMode.READ_WRITE);
        writeImage();
    }

    /** Writes the image, and makes the prefix directories of its chunks: the test store has none of its own. */
    private void writeImage() throws IOException {
        Files.write(image, content);
        BlobEncoder encoder = new BlobEncoder(false, null);
        for (int position = 0; position < content.length; position += CHUNK) {
            ChunkDigest digest = encoder.digest(content, position, Math.min(CHUNK, content.length - position));
            Files.createDirectories(
                    store.layout().chunks().resolve(digest.toString().substring(0, 4)));
        }
    }

    private SnapshotId snapshot(int second) {
        return SnapshotId.parse("vm/100/2026-01-31T12:00:" + (10 + second) + "Z");
    }

    private ChunkWriter.Counts backUp(SnapshotId snapshot, PosixFiles files) throws IOException {
        try (ImageSource source = ImageSource.open(files, image);
                BackupSession session = store.backups().start(BackupNamespace.ROOT, snapshot, "root@pam")) {
            ChunkWriter.Counts counts = new ImageWriter(session, null).write(source, DRIVE, CryptMode.NONE, task);
            session.finish(null);
            return counts;
        }
    }

    private SnapshotDirectory place(SnapshotId snapshot) {
        return store.snapshots().snapshot(BackupNamespace.ROOT, snapshot);
    }

    @Test
    void equalChunks_areStoredOnceAndReusedByTheNextBackup() throws IOException {
        ChunkWriter.Counts first = backUp(snapshot(0), faulty);
        content[2 * CHUNK] = 1;
        writeImage();
        ChunkWriter.Counts second = backUp(snapshot(1), faulty);

        assertThat(first.chunks).isEqualTo(4);
        assertThat(first.newChunks).isEqualTo(3);
        assertThat(first.reusedChunks).isEqualTo(1);
        assertThat(first.bytes).isEqualTo(content.length);
        assertThat(second.newChunks).isEqualTo(1);
        assertThat(second.reusedChunks).isEqualTo(3);
        assertThat(task.warnings).isEmpty();
        assertThat(task.done).isEqualTo(content.length);
    }

    @Test
    void sourceThatShrinks_leavesNoSnapshot() throws IOException {
        plan.before(PosixOperation.READ, 2, "image", path -> truncate(CHUNK + 5));

        assertThatThrownBy(() -> backUp(snapshot(0), faulty))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("became shorter");
        assertThat(place(snapshot(0)).exists()).isFalse();
        assertThat(place(snapshot(0)).path().getParent()).doesNotExist();
        plan.assertAllHit();
    }

    @Test
    void sourceThatCannotBeRead_leavesNoSnapshot() throws IOException {
        plan.fail(PosixOperation.READ, 3, "image", Errno.EIO);

        assertThatThrownBy(() -> backUp(snapshot(0), faulty))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("cannot read " + image + " at " + 2 * CHUNK);
        assertThat(place(snapshot(0)).exists()).isFalse();
        plan.assertAllHit();
    }

    @Test
    void sourceThatGrows_isBackedUpToItsFirstSizeWithAWarning() throws IOException {
        plan.before(PosixOperation.READ, 1, "image", path -> truncate(content.length + 10L));

        ChunkWriter.Counts counts = backUp(snapshot(0), faulty);

        assertThat(counts.bytes).isEqualTo(content.length);
        assertThat(task.warnings).hasSize(1);
        assertThat(task.warnings.get(0)).contains("grew");
    }

    @Test
    void abort_leavesNoSnapshot() throws IOException {
        plan.before(PosixOperation.READ, 2, "image", path -> task.abort = true);

        assertThatThrownBy(() -> backUp(snapshot(0), faulty)).isInstanceOf(TaskAbortedException.class);
        assertThat(place(snapshot(0)).exists()).isFalse();
    }

    @Test
    void fullDiskDuringInsert_leavesNoSnapshot() throws IOException {
        PosixFiles full = new FaultyPosixFiles(
                JnrPosixFiles.load(), plan.fail(PosixOperation.WRITE, FaultPlan.EVERY, "\\.chunks/", Errno.ENOSPC));
        FilesystemDatastore other = TestStore.at(store.layout().root(), directory.resolve("locks"), full)
                .open(AccessMode.READ_WRITE);
        store.close();
        store = other;

        assertThatThrownBy(() -> backUp(snapshot(0), JnrPosixFiles.load()))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("no space");
        assertThat(place(snapshot(0)).exists()).isFalse();
    }

    @Test
    void restoreTarget_appearsWholeOrNotAtAll() throws IOException {
        Path target = directory.resolve("out");
        try (RestoreTarget out = RestoreTarget.create(faulty, target, RestoreTarget.Existing.REFUSE)) {
            out.write(0, content, CHUNK);
            assertThat(target).doesNotExist();
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.filter(file -> file.toString().contains("restore-")))
                    .isEmpty();
        }

        try (RestoreTarget out = RestoreTarget.create(faulty, target, RestoreTarget.Existing.REFUSE)) {
            out.write(0, content, CHUNK);
            out.write(CHUNK, new byte[CHUNK], CHUNK);
            out.finish(2L * CHUNK);
        }
        assertThat(Files.size(target)).isEqualTo(2L * CHUNK);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
    }

    @Test
    void existingTarget_isReplacedOnlyOnRequest() throws IOException {
        Path target = directory.resolve("out");
        Files.writeString(target, "mine");

        assertThatThrownBy(() -> RestoreTarget.create(faulty, target, RestoreTarget.Existing.REFUSE))
                .isInstanceOf(AlreadyExistsException.class);
        try (RestoreTarget out = RestoreTarget.create(faulty, target, RestoreTarget.Existing.REPLACE)) {
            out.write(0, content, 100);
            out.finish(100);
        }
        assertThat(Files.size(target)).isEqualTo(100);
    }

    @Test
    void targetMadeByAnotherMeanwhile_isNotReplaced() throws IOException {
        Path target = directory.resolve("out");
        try (RestoreTarget out = RestoreTarget.create(faulty, target, RestoreTarget.Existing.REFUSE)) {
            out.write(0, content, 100);
            Files.writeString(target, "theirs");
            assertThatThrownBy(() -> out.finish(100)).isInstanceOf(AlreadyExistsException.class);
        }
        assertThat(target).hasContent("theirs");
    }

    private void truncate(long size) {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(size);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
