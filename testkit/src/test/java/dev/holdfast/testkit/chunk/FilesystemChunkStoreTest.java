package dev.holdfast.testkit.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.InsertOutcome.Kind;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only a store on a disk can get wrong: modes, owners, odd files in the place of chunks, failing system calls. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FilesystemChunkStoreTest {

    private static final int BACKUP = 34;

    /** Digests of one prefix from which on its directory is opened, as docs/chunks.md says. */
    private static final int OPEN_FROM = 8;

    @TempDir
    Path root;

    private final PosixFiles real = JnrPosixFiles.load();
    private final FaultPlan plan = new FaultPlan();
    private Path chunks;
    private ChunkStore store;

    @BeforeEach
    void open() throws IOException {
        chunks = Files.createDirectory(root.resolve(".chunks"));
        for (int prefix : ChunkStoreContract.PREFIXES) {
            Files.createDirectory(chunks.resolve(String.format("%04x", prefix)));
        }
        store = open(SyncLevel.NONE, FileOwner.UNCHANGED);
    }

    private ChunkStore open(SyncLevel level, FileOwner owner) throws DatastoreException {
        return FilesystemChunkStore.open(
                new FaultyPosixFiles(real, plan),
                new FilesystemChunkStore.Config("store1", chunks, owner, level, 4),
                new ChunkLocks());
    }

    // ---- creation and opening

    @Test
    void create_makesAllDirectoriesWithModeAndOwner(@TempDir(factory = InMemory.class) Path place) throws IOException {
        Path fresh = place.resolve(".chunks");
        boolean asRoot = real.effectiveUid() == 0;
        FileOwner owner = asRoot ? new FileOwner(BACKUP, BACKUP) : FileOwner.UNCHANGED;
        var config = new FilesystemChunkStore.Config("store1", fresh, owner, SyncLevel.NONE, 4);
        FilesystemChunkStore.create(real, config);
        assertThat(fresh.resolveSibling(".chunks.new")).doesNotExist();
        FileStat stat = new FileStat();
        for (int prefix = -1; prefix < 65536; prefix++) {
            Path path = prefix < 0 ? fresh : fresh.resolve(String.format("%04x", prefix));
            assertThat(real.stat(path, false, stat)).isTrue();
            assertThat(stat.mode()).as("%s", path).isEqualTo(0040750);
            if (asRoot) {
                assertThat(stat.uid()).isEqualTo(BACKUP);
                assertThat(stat.gid()).isEqualTo(BACKUP);
            }
        }
        try (Stream<Path> entries = Files.list(fresh)) {
            assertThat(entries).hasSize(65536);
        }
        assertThatThrownBy(() -> FilesystemChunkStore.create(real, config))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining(fresh.toString());
    }

    @Test
    void interruptedCreation_isToldByOpenAndByTheNextCreation() throws IOException {
        Path fresh = root.resolve("fresh").resolve(".chunks");
        Files.createDirectory(fresh.getParent());
        var config = new FilesystemChunkStore.Config("store1", fresh, FileOwner.UNCHANGED, SyncLevel.NONE, 4);
        plan.fail(PosixOperation.MAKE_DIRECTORY, 1, "/0010$", Errno.ENOSPC);
        PosixFiles files = new FaultyPosixFiles(real, plan);
        assertThatThrownBy(() -> FilesystemChunkStore.create(files, config))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("ENOSPC")
                .hasMessageContaining(".chunks.new");
        assertThatThrownBy(() -> FilesystemChunkStore.open(files, config, new ChunkLocks()))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("interrupted");
        assertThatThrownBy(() -> FilesystemChunkStore.create(files, config))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("interrupted");
        plan.assertAllHit();
    }

    @Test
    void open_ofNothing_orOfAFile_isRefused_ofALinkNot() throws IOException {
        var config =
                new FilesystemChunkStore.Config("store1", root.resolve("link"), FileOwner.UNCHANGED, SyncLevel.NONE, 4);
        assertThatThrownBy(() -> FilesystemChunkStore.open(real, config, new ChunkLocks()))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("does not exist");
        Files.writeString(root.resolve("link"), "");
        assertThatThrownBy(() -> FilesystemChunkStore.open(real, config, new ChunkLocks()))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("not a directory");
        Files.delete(root.resolve("link"));
        Files.createSymbolicLink(root.resolve("link"), chunks);
        store.insert(digest(1), blob(1, 10));
        try (ChunkStore linked = FilesystemChunkStore.open(real, config, new ChunkLocks())) {
            assertThat(linked.load(digest(1)).encoded()).isEqualTo(blob(1, 10).encoded());
            assertThat(linked.touch(DigestBatch.of(digest(1), digest(2)), TaskContext.silent())
                            .touched())
                    .isEqualTo(1);
        }
    }

    // ---- insert

    @Test
    void insert_givesModeAndOwner() throws IOException {
        assumeTrue(real.effectiveUid() == 0, "only root can give files away");
        ChunkStore owned = open(SyncLevel.FILE, new FileOwner(BACKUP, BACKUP));
        owned.insert(digest(1), blob(1, 10));
        FileStat stat = new FileStat();
        assertThat(real.stat(file(digest(1)), false, stat)).isTrue();
        assertThat(stat.mode()).isEqualTo(0100644);
        assertThat(stat.uid()).isEqualTo(BACKUP);
        assertThat(stat.gid()).isEqualTo(BACKUP);
    }

    @Test
    void insert_syncsAtLevelFileOnly() throws IOException {
        store.insert(digest(1), blob(1, 10));
        open(SyncLevel.FILESYSTEM, FileOwner.UNCHANGED).insert(digest(2), blob(1, 10));
        assertThat(plan.count(PosixOperation.FSYNC)).isZero();
        assertThat(plan.count(PosixOperation.FSYNC_DIRECTORY)).isZero();
        open(SyncLevel.FILE, FileOwner.UNCHANGED).insert(digest(3), blob(1, 10));
        assertThat(plan.count(PosixOperation.FSYNC)).isEqualTo(1);
        assertThat(plan.count(PosixOperation.FSYNC_DIRECTORY)).isEqualTo(1);
    }

    @Test
    void insert_thatFails_leavesNothing() throws IOException {
        plan.failWriteAfter(5, 1, "", Errno.ENOSPC);
        plan.fail(PosixOperation.RENAME, 1, "", Errno.EIO);
        for (String reason : List.of("ENOSPC", "EIO")) {
            assertThatThrownBy(() -> store.insert(digest(1), blob(1, 10)))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining(digest(1).toString())
                    .hasMessageContaining(reason);
            assertThat(file(digest(1)).getParent()).isEmptyDirectory();
        }
        assertThat(store.insert(digest(1), blob(1, 10)).kind()).isEqualTo(Kind.INSERTED);
        plan.assertAllHit();
    }

    @Test
    void insert_overEmptyFile_writesAndSaysSo() throws IOException {
        Files.createFile(file(digest(1)));
        assertThatThrownBy(() -> store.load(digest(1)))
                .isInstanceOf(ChunkCorruptException.class)
                .hasMessageContaining("empty");
        DataBlob blob = blob(1, 10);
        assertThat(store.insert(digest(1), blob)).isEqualTo(new InsertOutcome(Kind.INSERTED, blob.size(), true));
        assertThat(store.load(digest(1)).encoded()).isEqualTo(blob.encoded());
    }

    @Test
    void insert_intoMissingDirectory_namesIt_andMakesNone() {
        ChunkDigest digest = ChunkDigest.parse("12".repeat(32));
        assertThatThrownBy(() -> store.insert(digest, blob(1, 10)))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining(chunks.resolve("1212") + " is missing");
        assertThat(chunks.resolve("1212")).doesNotExist();
    }

    @Test
    void insert_ofEncrypted_overFileWithoutKnownMagic_keepsIt() throws IOException {
        DataBlob encrypted =
                new BlobEncoder(false, CryptConfig.of(new byte[CryptConfig.KEY_BYTES])).encode(new byte[50], 0, 50);
        for (byte[] odd : List.of(new byte[5], new byte[30])) {
            Files.write(file(digest(1)), odd);
            assertThat(store.insert(digest(1), encrypted)).isEqualTo(new InsertOutcome(Kind.EXISTED, odd.length));
        }
    }

    @Test
    void insert_whereChunkCannotBeLookedAtOrTouched_fails() throws IOException {
        store.insert(digest(1), blob(1, 10));
        plan.fail(PosixOperation.TOUCH, 1, "", Errno.EPERM);
        assertThatThrownBy(() -> store.insert(digest(1), blob(1, 10)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("EPERM");
        plan.fail(PosixOperation.STAT, FaultPlan.EVERY, digest(1).toString(), Errno.EIO);
        assertThatThrownBy(() -> store.insert(digest(1), blob(1, 10)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("EIO");
        plan.assertAllHit();
    }

    // ---- load, stat, quarantine

    @ParameterizedTest
    @EnumSource(
            value = Errno.class,
            names = {"EIO", "EACCES", "EMFILE", "ESTALE"})
    void load_thatCannotBeRead_isNeitherMissingNorCorrupt(Errno errno) throws IOException {
        store.insert(digest(1), blob(1, 10));
        plan.fail(PosixOperation.OPEN_FOR_READING, 1, "", errno);
        plan.fail(PosixOperation.READ, 1, "", errno);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store.load(digest(1)))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(errno.name())
                    .hasMessageContaining(file(digest(1)).toString());
        }
        assertThat(store.load(digest(1)).size()).isEqualTo(blob(1, 10).size());
        plan.fail(PosixOperation.STAT, 1, digest(1).toString(), errno);
        assertThatThrownBy(() -> store.stat(digest(1)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(errno.name());
        plan.assertAllHit();
    }

    @Test
    void load_ofVanishedDirectory_isDoubt() throws IOException {
        ChunkDigest digest = ChunkDigest.parse("12".repeat(32));
        for (boolean dangling : new boolean[] {false, true}) {
            if (dangling) {
                Files.createSymbolicLink(chunks.resolve("1212"), root.resolve("nowhere"));
            }
            assertThatThrownBy(() -> store.load(digest))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(chunks.resolve("1212") + " is missing");
            assertThatThrownBy(() -> store.stat(digest)).isExactlyInstanceOf(DatastoreException.class);
            assertThatThrownBy(() -> store.quarantine(digest)).isExactlyInstanceOf(DatastoreException.class);
            assertThatThrownBy(() -> store.touch(DigestBatch.of(digest), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(chunks.resolve("1212") + " is missing");
            assertThatThrownBy(() -> store.touch(DigestBatch.of(digest, digest(1)), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(chunks.resolve("1212") + " is missing");
            assertThatThrownBy(() -> store.touch(many(0x1212), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(chunks.resolve("1212") + " is missing");
        }
    }

    @Test
    void load_ofDamagedFile_isCorrupt() throws IOException {
        DataBlob blob = blob(1, 100);
        byte[] flipped = blob.encoded().clone();
        flipped[60] ^= 1;
        byte[] foreign = blob.encoded().clone();
        foreign[0] ^= 1;
        byte[] cut = java.util.Arrays.copyOf(blob.encoded(), 11);
        for (byte[] bytes : List.of(flipped, foreign, cut)) {
            Files.write(file(digest(1)), bytes);
            assertThatThrownBy(() -> store.load(digest(1)))
                    .isInstanceOfSatisfying(
                            ChunkCorruptException.class,
                            e -> assertThat(e.digest()).isEqualTo(digest(1)))
                    .hasMessageContaining(file(digest(1)).toString());
        }
    }

    @Test
    void load_ofOversizedFile_isCorrupt_withoutReadingIt() throws IOException {
        try (var sparse = new java.io.RandomAccessFile(file(digest(1)).toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        assertThatThrownBy(() -> store.load(digest(1)))
                .isInstanceOf(ChunkCorruptException.class)
                .hasMessageContaining("1099511627776");
        assertThat(plan.count(PosixOperation.READ)).isZero();
    }

    @Test
    void oddThingsInPlaceOfAChunk_areNamed_andNeverWaitedFor() throws Exception {
        Path directory = file(digest(1));
        Files.createDirectory(directory);
        Path link = file(digest(2));
        Path target = Files.write(root.resolve("target"), blob(1, 10).encoded());
        Files.createSymbolicLink(link, target);
        FileTime old = FileTime.fromMillis(1_000_000_000_000L);
        Files.setAttribute(target, "lastAccessTime", old);
        Path fifo = file(digest(3));
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        for (ChunkDigest digest : List.of(digest(1), digest(2), digest(3))) {
            assertThatThrownBy(() -> store.load(digest))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining("not a regular file");
            assertThatThrownBy(() -> store.stat(digest)).hasMessageContaining("not a regular file");
            assertThatThrownBy(() -> store.insert(digest, blob(1, 10))).hasMessageContaining("not a regular file");
            assertThatThrownBy(() -> store.quarantine(digest)).hasMessageContaining("not a regular file");
        }
        assertThat(store.touch(DigestBatch.of(digest(1), digest(2), digest(3)), TaskContext.silent())
                        .touched())
                .isEqualTo(3);
        assertThat(Files.readAttributes(target, java.nio.file.attribute.BasicFileAttributes.class)
                        .lastAccessTime())
                .isEqualTo(old);

        Recorder task = new Recorder();
        SweepOutcome outcome = store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), task);
        assertThat(outcome)
                .extracting(SweepOutcome::seen, SweepOutcome::skipped)
                .containsExactly(0L, 3L);
        assertThat(task.warnings)
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains(fifo.toString()).contains("fifo"))
                .anySatisfy(line -> assertThat(line).contains(link.toString()).contains("symbolic link"))
                .anySatisfy(
                        line -> assertThat(line).contains(directory.toString()).contains("directory"));
        assertThat(link).isSymbolicLink();
        assertThat(target).exists();
    }

    // ---- touch

    @Test
    void batchedTouch_opensEachPrefixAtMostOnce_andNoneForASingleDigest() throws IOException {
        List<ChunkDigest> batch = new ArrayList<>();
        batch.add(in(0x0000, 1));
        for (int i = 0; i < OPEN_FROM - 1; i++) {
            batch.add(in(0x00ab, i));
        }
        for (int i = 0; i < OPEN_FROM; i++) {
            batch.add(in(0xffff, i));
        }
        for (int i = 0; i < 300; i++) {
            batch.add(i % 2, in(0x5a5a, i));
        }
        for (ChunkDigest digest : batch) {
            store.insert(digest, blob(1, 10));
        }
        plan.resetCounts();
        TouchOutcome outcome = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(outcome.touched()).isEqualTo(batch.size());
        assertThat(outcome.directoriesOpened()).isEqualTo(2);
        assertThat(plan.count(PosixOperation.OPEN_DIRECTORY)).isEqualTo(1 + 2);
        assertThat(plan.count(PosixOperation.TOUCH)).isEqualTo(batch.size());
        assertThat(plan.count(PosixOperation.LIST)).isZero();
        assertThat(plan.count(PosixOperation.STAT)).isZero();
    }

    @Test
    void touchOfOne_isOneSystemCall() throws IOException {
        store.insert(digest(1), blob(1, 10));
        plan.resetCounts();
        assertThat(store.touch(DigestBatch.of(digest(1)), TaskContext.silent()).touched())
                .isEqualTo(1);
        assertThat(plan.count(PosixOperation.TOUCH)).isEqualTo(1);
        assertThat(plan.count(PosixOperation.OPEN_DIRECTORY)).isZero();
        assertThat(plan.count(PosixOperation.STAT)).isZero();
    }

    @Test
    void touch_leavesContentAndModificationTime() throws IOException {
        List<ChunkDigest> digests = new ArrayList<>(many(0xab).digests());
        digests.add(in(0, 1));
        FileTime old = FileTime.fromMillis(1_000_000_000_123L);
        for (ChunkDigest digest : digests) {
            store.insert(digest, blob(1, 10));
            Files.setLastModifiedTime(file(digest), old);
        }
        assertThat(store.touch(new DigestBatch(digests), TaskContext.silent()).touched())
                .isEqualTo(OPEN_FROM + 1);
        assertThat(store.touch(DigestBatch.of(digests.get(0)), TaskContext.silent())
                        .touched())
                .isEqualTo(1);
        for (ChunkDigest digest : digests) {
            assertThat(Files.getLastModifiedTime(file(digest))).isEqualTo(old);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Errno.class,
            names = {"EPERM", "EACCES", "EROFS", "EIO", "ESTALE", "ENOSPC", "ENOTDIR"})
    void touchThatFails_isNoAbsence(Errno errno) throws IOException {
        List<ChunkDigest> digests = new ArrayList<>(many(0xab).digests());
        digests.add(in(0, 1));
        for (ChunkDigest digest : digests) {
            store.insert(digest, blob(1, 10));
        }
        for (ChunkDigest digest : List.of(digests.get(3), digests.get(OPEN_FROM))) {
            plan.fail(PosixOperation.TOUCH, 1, digest.toString(), errno);
            assertThatThrownBy(() -> store.touch(new DigestBatch(digests), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(file(digest).toString())
                    .hasMessageContaining(errno.name())
                    .hasCauseInstanceOf(PosixException.class);
        }
        plan.fail(PosixOperation.TOUCH, 2, digests.get(0).toString(), errno);
        assertThat(store.touch(DigestBatch.of(digests.get(0)), TaskContext.silent())
                        .touched())
                .isEqualTo(1);
        assertThatThrownBy(() -> store.touch(DigestBatch.of(digests.get(0)), TaskContext.silent()))
                .hasMessageContaining(errno.name());
        plan.assertAllHit();
    }

    @Test
    void touch_ofBadCopyThatFails_isNoAbsence() {
        plan.fail(PosixOperation.TOUCH, 1, "\\.3\\.bad$", Errno.EPERM);
        assertThatThrownBy(() -> store.touch(DigestBatch.of(digest(1)), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(".3.bad");
        plan.assertAllHit();
    }

    @Test
    void touch_whereDirectoryIsAFile_fails() throws IOException {
        Files.createFile(chunks.resolve("e5aa"));
        for (DigestBatch batch :
                List.of(DigestBatch.of(in(0xe5aa, 1)), DigestBatch.of(in(0xe5aa, 1), in(0xe5aa, 2)), many(0xe5aa))) {
            assertThatThrownBy(() -> store.touch(batch, TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(chunks.resolve("e5aa").toString())
                    .hasMessageContaining("ENOTDIR");
        }
        assertThatThrownBy(() -> store.load(in(0xe5aa, 1)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(chunks.resolve("e5aa").toString());
    }

    @Test
    void touch_inDirectoryThatIsRemovedMeanwhile_isDoubt() throws IOException {
        Path directory = chunks.resolve("1212");
        Files.createDirectory(directory);
        plan.before(PosixOperation.TOUCH, 1, "/1212/", path -> {
            if (!real.removeDirectory(directory)) {
                throw new AssertionError("not there: " + directory);
            }
        });
        assertThatThrownBy(() -> store.touch(many(0x1212), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(directory + " is missing");
        plan.assertAllHit();
    }

    @Test
    void touch_throughLinkedPrefixDirectory_works() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Files.createSymbolicLink(chunks.resolve("1212"), elsewhere);
        List<ChunkDigest> digests = many(0x1212).digests();
        for (ChunkDigest digest : digests) {
            assertThat(store.insert(digest, blob(1, 10)).kind()).isEqualTo(Kind.INSERTED);
        }
        assertThat(elsewhere.resolve(digests.get(0).toString())).exists();
        assertThat(store.touch(new DigestBatch(digests), TaskContext.silent()).touched())
                .isEqualTo(OPEN_FROM);
        assertThat(store.touch(DigestBatch.of(in(0x1212, OPEN_FROM)), TaskContext.silent())
                        .absent())
                .hasSize(1);
        assertThat(store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), TaskContext.silent())
                        .seen())
                .isEqualTo(OPEN_FROM);
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void touch_asksForAbortOftenEnough_andLeavesNothingOpen() throws IOException {
        List<ChunkDigest> digests = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            digests.add(in(0x5a5a, i));
        }
        int[] looks = new int[1];
        TaskContext counting = new Recorder() {
            @Override
            public void checkAbort() throws TaskAbortedException {
                looks[0]++;
                if (looks[0] > 5) {
                    throw new TaskAbortedException();
                }
            }
        };
        long before = openDescriptors();
        assertThatThrownBy(() -> store.touch(new DigestBatch(digests), counting))
                .isInstanceOf(TaskAbortedException.class);
        assertThat(openDescriptors()).isEqualTo(before);
        plan.fail(PosixOperation.TOUCH, 20_000, "\\.bad$", Errno.EIO);
        assertThatThrownBy(() -> store.touch(new DigestBatch(digests), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class);
        assertThat(openDescriptors()).isEqualTo(before);
    }

    private long openDescriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(fd -> {
                        try {
                            return Files.readSymbolicLink(fd).startsWith(root);
                        } catch (IOException e) {
                            return false; // closed since it was listed
                        }
                    })
                    .count();
        }
    }

    // ---- sweep

    @Test
    void sweep_tellsKindsByExactNames_andSeesWhatIsMisplaced() throws IOException {
        String hex = in(0xab, 1).toString();
        Path directory = chunks.resolve("00ab");
        for (String name : List.of(
                hex,
                hex + ".0.bad",
                hex + ".using",
                hex + ".tmp_AbCdEf",
                hex + ".10.bad",
                hex + ".x.bad",
                hex + ".bad",
                "note")) {
            Files.writeString(directory.resolve(name), "x");
        }
        Files.writeString(directory.resolve(in(0x5a5a, 2).toString()), "xy");
        Files.writeString(directory.resolve(in(0xab, 3).toString().toUpperCase(java.util.Locale.ROOT)), "xyz");
        List<String> seen = new ArrayList<>();
        SweepOutcome outcome = store.sweep(
                ChunkStoreContract.policy(entry -> {
                    assertThat(Path.of(entry.path())).exists();
                    seen.add(entry.kind() + " " + entry.size() + (entry.misplaced() ? " misplaced" : ""));
                    return entry.kind() == SweepEntry.Kind.EXPECTED_MARK ? SweepVerdict.REMOVE : SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "CHUNK 1", "BAD 1", "EXPECTED_MARK 1", "CHUNK 2 misplaced", "CHUNK 3 misplaced");
        assertThat(outcome.seen()).isEqualTo(5);
        assertThat(directory.resolve(hex + ".using")).doesNotExist();
        assertThat(directory.resolve(hex + ".tmp_AbCdEf")).exists();
    }

    @Test
    void sweep_logsMissingDirectories_andGoesOn() throws IOException {
        store.insert(in(0xffff, 1), blob(1, 10));
        Recorder task = new Recorder();
        SweepOutcome outcome = store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.KEEP), task);
        assertThat(outcome.seen()).isEqualTo(1);
        assertThat(outcome.directoriesOpened()).isEqualTo(4);
        assertThat(task.warnings).isEmpty();
        assertThat(task.lines)
                .singleElement()
                .asString()
                .contains("65532")
                .contains(chunks.resolve("0001").toString());
        assertThat(task.progress).isEqualTo("sweep 65536/65536 directories");
    }

    @Test
    void sweep_whereDirectoryIsNone_fails() throws IOException {
        Files.createFile(chunks.resolve("e5aa"));
        store.insert(in(0xffff, 1), blob(1, 10));
        assertThatThrownBy(() ->
                        store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(chunks.resolve("e5aa").toString());
        assertThat(file(in(0xffff, 1))).exists();
        Files.delete(chunks.resolve("e5aa"));
        Files.createSymbolicLink(chunks.resolve("e5aa"), root.resolve("nowhere"));
        assertThatThrownBy(() ->
                        store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(chunks.resolve("e5aa").toString());
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"STAT", "LIST", "OPEN_DIRECTORY"})
    void sweep_thatCannotLook_fails(PosixOperation operation) throws IOException {
        store.insert(in(0xab, 1), blob(1, 10));
        plan.fail(operation, 1, "/00ab", Errno.EIO);
        assertThatThrownBy(() ->
                        store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("EIO")
                .hasMessageContaining("/00ab");
        assertThat(file(in(0xab, 1))).exists();
        plan.assertAllHit();
    }

    @Test
    void sweep_passesOverWhatVanishedSinceTheListing() throws IOException {
        store.insert(in(0xab, 1), blob(1, 10));
        plan.fail(PosixOperation.STAT, 1, in(0xab, 1).toString(), Errno.ENOENT);
        SweepOutcome outcome =
                store.sweep(ChunkStoreContract.policy(entry -> SweepVerdict.REMOVE), TaskContext.silent());
        assertThat(outcome)
                .extracting(SweepOutcome::seen, SweepOutcome::skipped)
                .containsExactly(0L, 0L);
        plan.assertAllHit();
    }

    @Test
    void sweep_thatCannotRemove_tellsThePolicy_andFails() throws IOException {
        store.insert(in(0xab, 1), blob(1, 10));
        store.insert(in(0x5a5a, 1), blob(1, 10));
        plan.fail(PosixOperation.UNLINK, 1, "/5a5a/", Errno.EACCES);
        List<String> told = new ArrayList<>();
        var policy = new dev.holdfast.datastore.chunk.SweepPolicy() {
            @Override
            public SweepVerdict judge(SweepEntry entry) {
                return SweepVerdict.REMOVE;
            }

            @Override
            public void done(SweepEntry entry, SweepVerdict verdict) {
                told.add("done " + entry.digest());
            }

            @Override
            public void failed(SweepEntry entry) {
                told.add("failed " + entry.digest());
            }
        };
        assertThatThrownBy(() -> store.sweep(policy, TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining(file(in(0x5a5a, 1)).toString())
                .hasMessageContaining("EACCES");
        assertThat(told).containsExactly("done " + in(0xab, 1), "failed " + in(0x5a5a, 1));
        assertThat(file(in(0xab, 1))).doesNotExist();
        assertThat(file(in(0x5a5a, 1))).exists();
        plan.assertAllHit();
    }

    @Test
    void quarantine_keepsContentAndMode_andFailsOnDoubt() throws IOException {
        DataBlob blob = blob(1, 10);
        store.insert(digest(1), blob);
        assertThat(store.quarantine(digest(1))).hasValue(0);
        Path bad = file(digest(1)).resolveSibling(digest(1) + ".0.bad");
        assertThat(Files.readAllBytes(bad)).isEqualTo(blob.encoded());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bad)))
                .isEqualTo("rw-r--r--");
        store.insert(digest(1), blob);
        plan.fail(PosixOperation.STAT, 1, "\\.0\\.bad$", Errno.EIO);
        assertThatThrownBy(() -> store.quarantine(digest(1)))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("EIO");
        assertThat(store.stat(digest(1))).isPresent();
        plan.assertAllHit();
    }

    @Test
    void readOrder_isByInode_andAFailingLookComesLast() throws IOException {
        List<ChunkDigest> digests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            digests.add(digest(i));
            store.insert(digests.get(i), blob(i, 10));
        }
        plan.fail(PosixOperation.STAT, FaultPlan.EVERY, digests.get(4).toString(), Errno.EACCES);
        List<ChunkDigest> order = store.readOrder(digests);
        assertThat(order).containsExactlyInAnyOrderElementsOf(digests);
        assertThat(order.get(19)).isEqualTo(digests.get(4));
        List<Long> inodes = new ArrayList<>();
        for (ChunkDigest digest : order.subList(0, 19)) {
            inodes.add((Long) Files.getAttribute(file(digest), "unix:ino"));
        }
        assertThat(inodes).isSorted();
    }

    @Test
    void missing_isSaidWithThePath() {
        assertThatThrownBy(() -> store.load(digest(1)))
                .isInstanceOf(ChunkMissingException.class)
                .hasMessageContaining(file(digest(1)).toString());
    }

    private static ChunkDigest digest(int number) {
        return in(0xab, number);
    }

    private static ChunkDigest in(int prefix, int number) {
        byte[] bytes = new byte[ChunkDigest.BYTES];
        new Random(number).nextBytes(bytes);
        bytes[0] = (byte) (prefix >> 8);
        bytes[1] = (byte) prefix;
        return ChunkDigest.of(bytes);
    }

    /** As many digests of one prefix as make its directory be opened. */
    private static DigestBatch many(int prefix) {
        List<ChunkDigest> digests = new ArrayList<>();
        for (int i = 0; i < OPEN_FROM; i++) {
            digests.add(in(prefix, i));
        }
        return new DigestBatch(digests);
    }

    private Path file(ChunkDigest digest) {
        return chunks.resolve(digest.toString().substring(0, 4)).resolve(digest.toString());
    }

    private static DataBlob blob(int seed, int length) {
        byte[] data = new byte[length];
        new Random(seed).nextBytes(data);
        return new BlobEncoder(false, null).encode(data, 0, length);
    }

    /** A place in memory where there is one: some disks take minutes to remove 65536 directories again. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "holdfast")
                    : Files.createTempDirectory("holdfast");
        }
    }

    /** Keeps what it is told. */
    private static class Recorder implements TaskContext {
        final List<String> lines = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        String progress = "";

        @Override
        public void log(String line) {
            lines.add(line);
        }

        @Override
        public void warn(String line) {
            warnings.add(line);
        }

        @Override
        public void progress(String phase, long done, long total, String unit) {
            progress = phase + " " + done + "/" + total + " " + unit;
        }

        @Override
        public void checkAbort() throws TaskAbortedException {}
    }
}
