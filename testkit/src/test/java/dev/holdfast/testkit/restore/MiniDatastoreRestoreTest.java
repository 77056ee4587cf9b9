package dev.holdfast.testkit.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.WrongKeyException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.restore.ArchiveReader;
import dev.holdfast.datastore.restore.ContentKey;
import dev.holdfast.datastore.restore.ParallelReader;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.testkit.MiniDatastore;
import dev.holdfast.testkit.TestStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Archives that another implementation wrote: their content is SHA-256 of 0, of 1, and so on, each as 8 bytes. */
class MiniDatastoreRestoreTest {

    private static final ArchiveName DISK = new ArchiveName("disk.img.fidx");
    private static final ArchiveName STREAM = new ArchiveName("stream.ppxar.didx");

    @TempDir
    Path base;

    private Path root;
    private FilesystemDatastore store;

    @BeforeEach
    void unpack() throws IOException {
        root = MiniDatastore.unpack(base);
        store = TestStore.at(root, base.resolve("locks")).open(AccessMode.READ_ONLY);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'',host/mini/2024-01-02T03:04:05Z",
        "'',host/mini/2024-01-03T03:04:05Z",
        "dev/sub,vm/100/2024-01-02T03:04:05Z"
    })
    void everyFinishedSnapshot_isRestored(String namespace, String snapshot) throws IOException {
        CryptConfig key = namespace.isEmpty() ? null : CryptConfig.of(MiniDatastore.key());
        try (SnapshotReader reader = open(namespace, snapshot, key);
                IndexReader disk = reader.index(DISK);
                IndexReader stream = reader.index(STREAM)) {
            assertThat(restore(disk, ContentKey.of(reader, DISK))).isEqualTo(expected((int) disk.size()));
            assertThat(restore(stream, ContentKey.of(reader, STREAM))).isEqualTo(expected(300_000));
            assertThat(reader.blob(new ArchiveName("guest.conf.blob"))).isNotEmpty();
            assertThat(reader.blob(ArchiveName.CLIENT_LOG)).isNotEmpty();
        }
    }

    @Test
    void readsAtAnyPosition_areTheBytesThatLieThere() throws IOException {
        byte[] all = expected(300_000);
        try (SnapshotReader reader = open("", "host/mini/2024-01-02T03:04:05Z", null);
                IndexReader stream = reader.index(STREAM)) {
            ArchiveReader archive = new ArchiveReader(store.chunks(), stream, ContentKey.PLAIN);
            assertThat(archive.size()).isEqualTo(300_000);
            for (int position : new int[] {0, 1, 66_405, 66_406, 66_407, 127_143, 252_580, 299_990, 299_999}) {
                for (int length : new int[] {1, 2, 4096, 200_000}) {
                    byte[] target = new byte[length + 2];
                    int read = archive.read(position, target, 1, length);
                    assertThat(read).isEqualTo(Math.min(length, 300_000 - position));
                    assertThat(java.util.Arrays.copyOfRange(target, 1, 1 + read))
                            .isEqualTo(java.util.Arrays.copyOfRange(all, position, position + read));
                    assertThat(target[0]).isZero();
                    assertThat(target[length + 1]).isZero();
                }
            }
            assertThat(archive.read(300_000, new byte[1], 0, 1)).isZero();
            assertThat(archive.read(0, new byte[1], 0, 0)).isZero();
            assertThatThrownBy(() -> archive.read(-1, new byte[1], 0, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> archive.read(0, new byte[1], 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void encryptedSnapshot_needsItsKey() throws IOException {
        byte[] other = MiniDatastore.key();
        other[0] ^= 1;
        assertThatThrownBy(() -> open("dev/sub", "vm/100/2024-01-02T03:04:05Z", CryptConfig.of(other)))
                .isInstanceOf(WrongKeyException.class);
        try (SnapshotReader reader = open("dev/sub", "vm/100/2024-01-02T03:04:05Z", null);
                IndexReader disk = reader.index(DISK)) {
            assertThatThrownBy(() -> restore(disk, new ContentKey(CryptMode.ENCRYPT, null)))
                    .isInstanceOf(WrongKeyException.class);
            assertThatThrownBy(() -> reader.blob(new ArchiveName("guest.conf.blob")))
                    .isInstanceOf(WrongKeyException.class);
        }
    }

    @Test
    void damagedAndMissingChunks_areNeverHandedOut() throws IOException {
        try (SnapshotReader reader = open("", "host/mini/2024-01-02T03:04:05Z", null);
                IndexReader disk = reader.index(DISK)) {
            Path second = root.resolve(".chunks")
                    .resolve(disk.digest(1).toString().substring(0, 4))
                    .resolve(disk.digest(1).toString());
            Path first = root.resolve(".chunks")
                    .resolve(disk.digest(0).toString().substring(0, 4))
                    .resolve(disk.digest(0).toString());
            byte[] good = Files.readAllBytes(second);
            // Whole, with a good checksum, but not the chunk that its name says.
            Files.write(second, Files.readAllBytes(first));
            ArchiveReader archive = new ArchiveReader(store.chunks(), disk, ContentKey.PLAIN);
            assertThat(archive.chunk(0)).isNotEmpty();
            assertThatThrownBy(() -> archive.chunk(1)).isInstanceOf(ChunkCorruptException.class);
            assertThatThrownBy(() -> restore(disk, ContentKey.PLAIN)).isInstanceOf(ChunkCorruptException.class);

            Files.delete(second);
            assertThatThrownBy(() -> archive.chunk(1)).isInstanceOf(ChunkMissingException.class);
            assertThatThrownBy(() -> restore(disk, ContentKey.PLAIN)).isInstanceOf(ChunkMissingException.class);

            Files.write(second, good);
            assertThat(archive.chunk(1)).isNotEmpty();
        }
    }

    private SnapshotReader open(String namespace, String snapshot, @Nullable CryptConfig key) throws IOException {
        return store.snapshots()
                .snapshot(BackupNamespace.parse(namespace), SnapshotId.parse(snapshot))
                .open(key);
    }

    private byte[] restore(IndexReader index, ContentKey key) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        new ParallelReader(store.chunks(), index, key, new ParallelReader.Limits(3, 150_000))
                .forEach(TaskContext.silent(), (position, data) -> {
                    assertThat(position).isEqualTo(target.size());
                    target.writeBytes(data);
                });
        return target.toByteArray();
    }

    private static byte[] expected(int length) {
        try {
            ByteBuffer content = ByteBuffer.allocate(length + 32);
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (long i = 0; content.position() < length; i++) {
                content.put(sha.digest(ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(i)
                        .array()));
            }
            return java.util.Arrays.copyOf(content.array(), length);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
