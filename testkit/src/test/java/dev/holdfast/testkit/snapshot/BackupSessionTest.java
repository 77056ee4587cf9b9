package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.error.WrongKeyException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.TestStore.Chunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupSessionTest {

    private static final BackupNamespace ROOT = BackupNamespace.ROOT;
    private static final BackupGroup GROUP = BackupGroup.parse("vm/100");
    private static final ArchiveName IMAGE = new ArchiveName("drive0.img.fidx");
    private static final ArchiveName DATA = new ArchiveName("data.pxar.didx");
    private static final ArchiveName CONF = new ArchiveName("guest.conf.blob");

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

    @ParameterizedTest
    @ValueSource(strings = {"none", "file", "filesystem"})
    void finishedBackup_isReadBackAtEverySyncLevel(String syncLevel) throws IOException {
        StoreSettings settings =
                new StoreSettings("store", fixture.root(), DatastoreTuning.DEFAULTS.with("sync-level", syncLevel));
        Chunk zeros = fixture.chunk(new byte[4096]);
        Chunk text = fixture.chunk("text".repeat(1024));
        Chunk tail = fixture.chunk("tail");
        try (FilesystemDatastore level = fixture.factory().open(settings, AccessMode.READ_WRITE);
                BackupSession session = level.backups().start(ROOT, day(1), TestStore.OWNER)) {
            assertThat(session.previous()).isEmpty();
            for (Chunk chunk : new Chunk[] {zeros, text, tail}) {
                assertThat(session.insertChunk(chunk.digest(), chunk.blob()).kind())
                        .isEqualTo(InsertOutcome.Kind.INSERTED);
            }
            assertThat(session.insertChunk(tail.digest(), tail.blob()).kind()).isEqualTo(InsertOutcome.Kind.EXISTED);
            try (BackupSession.FixedArchive image = session.fixedArchive(IMAGE, 3 * 4096 + 4, 4096)) {
                image.set(3, tail.digest());
                image.set(0, text.digest());
                image.set(1, zeros.digest());
                image.set(2, zeros.digest());
                image.finish(CryptMode.NONE);
            }
            try (BackupSession.DynamicArchive data = session.dynamicArchive(DATA)) {
                data.add(tail.digest(), 4);
                data.finish(CryptMode.NONE);
            }
            session.addBlob(CONF, blob("conf"), CryptMode.NONE);
            session.setNotes("before the upgrade");
            assertThat(snapshot(1).isFinished()).isFalse();
            session.finish(null);
        }

        BackupManifest manifest = snapshot(1).manifest();
        assertThat(manifest.files()).extracting(file -> file.name()).containsExactly(IMAGE, DATA, CONF);
        assertThat(manifest.notes()).isEqualTo("before the upgrade");
        Object statistics = manifest.unprotected().get("chunk_upload_stats");
        assertThat(statistics).isInstanceOf(Map.class);
        assertThat(((Map<?, ?>) statistics).get("count").toString()).isEqualTo("4");
        assertThat(((Map<?, ?>) statistics).get("duplicates").toString()).isEqualTo("1");
        assertThat(((Map<?, ?>) statistics).get("size").toString())
                .isEqualTo(String.valueOf(4096 + 4096 + 4 + blob("conf").size()));
        try (SnapshotReader reader = snapshot(1).open(null);
                IndexReader image = reader.index(IMAGE)) {
            assertThat(image.count()).isEqualTo(4);
            assertThat(image.digest(2)).isEqualTo(zeros.digest());
            assertThat(image.digest(3)).isEqualTo(tail.digest());
            assertThat(reader.blob(CONF)).asString(StandardCharsets.UTF_8).isEqualTo("conf");
        }
        assertThat(store.snapshots().group(ROOT, GROUP).owner()).isEqualTo(TestStore.OWNER);
        assertThat(store.processLock().orElseThrow().oldestWriter()).isEmpty();
        for (String name : new String[] {"", "/index.json.blob", "/drive0.img.fidx", "/guest.conf.blob", "/../owner"}) {
            Path file = Path.of(snapshot(1).path() + name);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--");
        }
    }

    @Test
    void indexWithAChunkNeitherStoredNorReused_isRefused() throws IOException {
        Chunk known = fixture.chunk("known");
        Chunk unknown = fixture.chunk("unknown");
        fixture.backup(store, day(1), unknown);
        snapshot(1).forget();
        try (BackupSession session = start(2);
                BackupSession.DynamicArchive data = session.dynamicArchive(DATA);
                BackupSession.FixedArchive image = session.fixedArchive(IMAGE, 5, 4096)) {
            session.insertChunk(known.digest(), known.blob());
            data.add(known.digest(), 5);

            assertThatThrownBy(() -> data.add(unknown.digest(), 7))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining(unknown.digest().toString());
            assertThatThrownBy(() -> image.set(0, unknown.digest())).isInstanceOf(DatastoreException.class);
            assertThat(session.reuseChunk(unknown.digest())).isFalse();
        }
    }

    @Test
    void chunkOfThePreviousSnapshot_isReusedAndTouched() throws IOException {
        Chunk chunk = fixture.chunk("kept");
        fixture.backup(store, day(1), chunk);
        FileTime old = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
        Files.getFileAttributeView(fixture.file(chunk.digest()), java.nio.file.attribute.BasicFileAttributeView.class)
                .setTimes(old, old, null);
        try (BackupSession session = start(2)) {
            assertThat(session.previous().orElseThrow().directory().id()).isEqualTo(day(1));
            assertThat(session.reuseChunk(fixture.chunk("never seen").digest())).isFalse();
            assertThat(session.reuseChunk(chunk.digest())).isTrue();
            assertThat(session.reuseChunk(chunk.digest())).isTrue();
            try (BackupSession.DynamicArchive data = session.dynamicArchive(DATA)) {
                data.add(chunk.digest(), 4);
                data.finish(CryptMode.NONE);
            }
            session.finish(null);
        }
        assertThat((FileTime) Files.getAttribute(fixture.file(chunk.digest()), "lastAccessTime"))
                .isGreaterThan(FileTime.from(Instant.parse("2025-01-01T00:00:00Z")));
        assertThat(Files.getLastModifiedTime(fixture.file(chunk.digest()))).isEqualTo(old);
        try (SnapshotReader reader = snapshot(2).open(null);
                IndexReader data = reader.index(DATA)) {
            assertThat(data.digest(0)).isEqualTo(chunk.digest());
        }
    }

    @Test
    void chunkOfThePreviousSnapshotThatVanishedOrIsEmpty_isStoredAgain() throws IOException {
        Chunk gone = fixture.chunk("gone");
        Chunk emptied = fixture.chunk("emptied");
        fixture.backup(store, day(1), gone, emptied);
        Files.delete(fixture.file(gone.digest()));
        Files.write(fixture.file(emptied.digest()), new byte[0]);
        try (BackupSession session = start(2)) {
            assertThat(session.reuseChunk(gone.digest())).isFalse();
            assertThat(session.reuseChunk(emptied.digest())).isFalse();
            assertThat(session.insertChunk(gone.digest(), gone.blob()).kind()).isEqualTo(InsertOutcome.Kind.INSERTED);
            assertThat(session.reuseChunk(gone.digest())).isTrue();
        }
        assertThat(fixture.file(gone.digest())).exists();
    }

    @Test
    void snapshotThatVerifyFoundBad_isNoBase() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        fixture.backup(store, day(2), fixture.chunk("y"));
        verifyState(2, "failed");
        try (BackupSession session = start(3)) {
            assertThat(session.previous()).isEmpty();
        }
        verifyState(2, "ok");
        try (BackupSession session = start(3)) {
            assertThat(session.previous().orElseThrow().directory().id()).isEqualTo(day(2));
        }
    }

    @Test
    void snapshotWithADamagedManifest_isNoBase() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        Files.writeString(snapshot(1).path().resolve("index.json.blob"), "no blob at all");
        try (BackupSession session = start(2)) {
            assertThat(session.previous()).isEmpty();
        }
    }

    @Test
    void chunksOfADamagedIndex_areStoredAgain() throws IOException {
        Chunk chunk = fixture.chunk("x");
        fixture.backup(store, day(1), chunk);
        Path index = snapshot(1).path().resolve(DATA.text());
        byte[] bytes = Files.readAllBytes(index);
        bytes[4096] ^= 1;
        Files.write(index, bytes);
        try (BackupSession session = start(2)) {
            assertThat(session.previous()).isPresent();
            assertThat(session.reuseChunk(chunk.digest())).isFalse();
        }
    }

    @Test
    void baseStaysLocked_evenIfItsReaderIsClosed() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        try (BackupSession session = start(2)) {
            session.previous().orElseThrow().close();
            assertThatThrownBy(() -> snapshot(1).forget()).isInstanceOf(LockTimeoutException.class);
        }
        snapshot(1).forget();
    }

    @Test
    void secondBackupOfAGroup_isRefusedWhileTheFirstRuns() throws IOException {
        try (BackupSession session = start(1);
                FilesystemDatastore other = fixture.open()) {
            assertThatThrownBy(() -> other.backups().start(ROOT, day(2), TestStore.OWNER))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("vm/100");
            assertThatThrownBy(() -> snapshot(1).forget()).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() -> store.snapshots().group(ROOT, GROUP).forget())
                    .isInstanceOf(LockTimeoutException.class);
            try (BackupSession elsewhere =
                    other.backups().start(ROOT, SnapshotId.parse("vm/101/2026-01-01T00:00:00Z"), TestStore.OWNER)) {
                assertThat(elsewhere.snapshot()).isNotEqualTo(session.snapshot());
            }
            assertThat(store.processLock().orElseThrow().oldestWriter()).isPresent();
        }
        assertThat(store.processLock().orElseThrow().oldestWriter()).isEmpty();
    }

    @Test
    void backupOfAnotherOwner_isRefused() throws IOException {
        try (BackupSession session = store.backups().start(ROOT, day(1), "me@pbs!token")) {
            finishWith(session, "x");
        }
        assertThatThrownBy(() -> store.backups().start(ROOT, day(2), "you@pbs"))
                .isInstanceOf(SafetyException.class)
                .hasMessageContaining("me@pbs!token")
                .hasMessageContaining("you@pbs");
        assertThatThrownBy(() -> store.backups().start(ROOT, day(2), "me@pbs!other"))
                .isInstanceOf(SafetyException.class);
        store.backups().start(ROOT, day(2), "me@pbs").close();
        store.snapshots().group(ROOT, GROUP).setOwner("me@pbs");
        assertThatThrownBy(() -> store.backups().start(ROOT, day(2), "me@pbs!token"))
                .isInstanceOf(SafetyException.class);
        assertThat(snapshot(2).exists()).isFalse();
    }

    @Test
    void timeThatIsNotLater_isRefused() throws IOException {
        fixture.backup(store, day(2), fixture.chunk("x"));

        assertThatThrownBy(() -> start(2)).isInstanceOf(AlreadyExistsException.class);
        assertThatThrownBy(() -> start(1))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("2026-01-02T00:00:00Z");
        assertThat(snapshot(2).isFinished()).isTrue();
        assertThat(snapshot(1).exists()).isFalse();
    }

    @Test
    void missingNamespace_isRefused() {
        assertThatThrownBy(() -> store.backups().start(BackupNamespace.parse("no"), day(1), TestStore.OWNER))
                .isInstanceOf(SnapshotMissingException.class);
        assertThat(fixture.root().resolve("ns")).doesNotExist();
    }

    @Test
    void backupIntoANamespace_liesThere() throws IOException {
        BackupNamespace a = BackupNamespace.parse("a");
        store.snapshots().createNamespace(a);
        try (BackupSession session = store.backups().start(a, day(1), TestStore.OWNER)) {
            finishWith(session, "x");
        }
        assertThat(fixture.root().resolve("ns/a/vm/100/2026-01-01T00:00:00Z/index.json.blob"))
                .exists();
        assertThat(store.snapshots().groups(ROOT)).isEmpty();
    }

    @Test
    void sessionClosedUnfinished_leavesNothingButChunks() throws IOException {
        Chunk chunk = fixture.chunk("x");
        try (BackupSession session = start(1)) {
            session.insertChunk(chunk.digest(), chunk.blob());
            BackupSession.DynamicArchive data = session.dynamicArchive(DATA);
            data.add(chunk.digest(), 1);
            assertThat(snapshot(1).exists()).isTrue();
            assertThatThrownBy(() -> session.finish(null))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining(DATA.text());
        }
        assertThat(fixture.root().resolve("vm/100")).doesNotExist();
        assertThat(fixture.file(chunk.digest())).exists();
        try (var locks = Files.list(base.resolve("locks/store"))) {
            assertThat(locks).isEmpty();
        }
        assertThat(store.processLock().orElseThrow().oldestWriter()).isEmpty();
    }

    @Test
    void sessionClosedUnfinished_keepsAGroupThatWasThere() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        start(2).close();

        assertThat(store.snapshots().snapshots(ROOT, GROUP)).containsExactly(day(1));
        assertThat(store.snapshots().group(ROOT, GROUP).owner()).isEqualTo(TestStore.OWNER);
    }

    @Test
    void whatACrashLeft_blocksNobodyAndCanBeForgotten() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        Path stale = Files.createDirectories(snapshot(2).path());
        Files.writeString(stale.resolve("drive0.tmp_fidx"), "half an index");
        Files.writeString(stale.resolve("index.json.blob.tmp_abcdef"), "half a manifest");

        fixture.backup(store, day(3), fixture.chunk("y"));

        assertThat(store.snapshots().snapshots(ROOT, GROUP)).containsExactly(day(3), day(2), day(1));
        assertThat(snapshot(2).isFinished()).isFalse();
        snapshot(2).forget();
        assertThat(store.snapshots().snapshots(ROOT, GROUP)).containsExactly(day(3), day(1));
    }

    @Test
    void groupWithoutOwnerAndSnapshots_isTakenOver() throws IOException {
        Files.createDirectories(fixture.root().resolve("vm/100"));

        fixture.backup(store, day(1), fixture.chunk("x"));

        assertThat(store.snapshots().group(ROOT, GROUP).owner()).isEqualTo(TestStore.OWNER);
    }

    @Test
    void groupWithSnapshotsButWithoutOwner_isNot() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        Files.delete(fixture.root().resolve("vm/100/owner"));

        assertThatThrownBy(() -> start(2)).isInstanceOf(FormatException.class).hasMessageContaining("group owner");
    }

    @Test
    void signedAndEncryptedBackup_needsItsKey() throws IOException {
        byte[] secret = new byte[32];
        secret[0] = 7;
        CryptConfig key = CryptConfig.of(secret);
        secret[0] = 8;
        CryptConfig other = CryptConfig.of(secret);
        byte[] conf = "secret".getBytes(StandardCharsets.UTF_8);
        try (BackupSession session = start(1)) {
            session.addBlob(CONF, new BlobEncoder(true, key).encode(conf, 0, conf.length), CryptMode.ENCRYPT);
            session.finish(key);
        }
        try (SnapshotReader reader = snapshot(1).open(key)) {
            assertThat(reader.blob(CONF)).isEqualTo(conf);
        }
        try (SnapshotReader reader = snapshot(1).open(null)) {
            assertThatThrownBy(() -> reader.blob(CONF)).isInstanceOf(WrongKeyException.class);
        }
        assertThatThrownBy(() -> snapshot(1).open(other)).isInstanceOf(WrongKeyException.class);
        snapshot(1).forget();
    }

    @Test
    void archiveNames_areCheckedAndUsedOnce() throws IOException {
        try (BackupSession session = start(1)) {
            session.addBlob(CONF, blob("a"), CryptMode.NONE);
            assertThatThrownBy(() -> session.addBlob(CONF, blob("b"), CryptMode.NONE))
                    .isInstanceOf(AlreadyExistsException.class);
            assertThatThrownBy(() -> session.addBlob(ArchiveName.MANIFEST, blob("b"), CryptMode.NONE))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> session.fixedArchive(DATA, 1, 4096)).isInstanceOf(IllegalArgumentException.class);
            session.fixedArchive(IMAGE, 1, 4096).close();
            session.fixedArchive(IMAGE, 1, 4096).close();
            session.finish(null);
            assertThatThrownBy(() -> session.setNotes("late")).isInstanceOf(IllegalStateException.class);
        }
        assertThat(snapshot(1).fileNames()).containsExactly("guest.conf.blob", "index.json.blob");
    }

    @Test
    void damagedArchives_areFoundWhenTheyAreOpened() throws IOException {
        try (BackupSession session = start(1)) {
            session.addBlob(CONF, blob("a"), CryptMode.NONE);
            finishWith(session, "x");
        }
        Path conf = snapshot(1).path().resolve(CONF.text());
        byte[] bytes = Files.readAllBytes(conf);
        bytes[bytes.length - 1] ^= 1;
        Files.write(conf, bytes);
        Path data = snapshot(1).path().resolve(DATA.text());
        byte[] index = Files.readAllBytes(data);
        index[4096 + 20] ^= 1;
        try (SnapshotReader reader = snapshot(1).open(null)) {
            assertThatThrownBy(() -> reader.blob(CONF)).isInstanceOf(FormatException.class);
            assertThatCode(() -> reader.index(DATA).close()).doesNotThrowAnyException();
            Files.write(data, index);
            assertThatThrownBy(() -> reader.index(DATA))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("checksum");
            Files.delete(data);
            assertThatThrownBy(() -> reader.index(DATA))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("damaged");
            assertThatThrownBy(() -> reader.index(IMAGE)).isInstanceOf(FormatException.class);
            assertThatThrownBy(() -> reader.blob(ArchiveName.CLIENT_LOG)).isInstanceOf(SnapshotMissingException.class);
        }
    }

    @Test
    void manifestUpdate_keepsTheRest() throws IOException {
        fixture.backup(store, day(1), fixture.chunk("x"));
        snapshot(1).updateManifest(manifest -> manifest.withUnprotected("notes", "later"));

        assertThat(snapshot(1).manifest().notes()).isEqualTo("later");
        assertThat(snapshot(1).manifest().files()).hasSize(1);
        assertThatThrownBy(() -> snapshot(2).updateManifest(manifest -> manifest))
                .isInstanceOf(SnapshotMissingException.class);
    }

    private void verifyState(int day, String state) throws DatastoreException {
        snapshot(day)
                .updateManifest(manifest ->
                        manifest.withUnprotected("verify_state", Map.of("state", state, "upid", "UPID:of a test")));
    }

    private void finishWith(BackupSession session, String text) throws IOException {
        Chunk chunk = fixture.chunk(text);
        session.insertChunk(chunk.digest(), chunk.blob());
        try (BackupSession.DynamicArchive data = session.dynamicArchive(DATA)) {
            data.add(chunk.digest(), chunk.data().length);
            data.finish(CryptMode.NONE);
        }
        session.finish(null);
    }

    private static DataBlob blob(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new BlobEncoder(true, null).encode(bytes, 0, bytes.length);
    }

    private BackupSession start(int day) throws DatastoreException {
        return store.backups().start(ROOT, day(day), TestStore.OWNER);
    }

    private static SnapshotId day(int day) {
        return SnapshotId.parse("vm/100/2026-01-0" + day + "T00:00:00Z");
    }

    private SnapshotDirectory snapshot(int day) {
        return store.snapshots().snapshot(ROOT, day(day));
    }
}
