package dev.holdfast.testkit.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.FilesystemDatastore;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.testkit.TestStore;
import dev.holdfast.testkit.TestStore.Chunk;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import dev.holdfast.testkit.fault.SimulatedCrash;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backup and a forget die, or fail, before every single call that changes the disk; then the store is used again. */
class SessionCrashTest {

    private static final BackupNamespace ROOT = BackupNamespace.ROOT;
    private static final BackupGroup GROUP = BackupGroup.parse("vm/100");
    private static final ArchiveName DATA = new ArchiveName("data.pxar.didx");
    private static final int CALLS = 40;

    @TempDir
    Path base;

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"CREATE", "MAKE_DIRECTORY", "WRITE", "RENAME", "FSYNC", "SYNC_FILESYSTEM"})
    void backupThatDies_leavesAStoreThatTakesTheNextOne(PosixOperation operation) throws IOException {
        boolean died = true;
        for (int nth = 1; died && nth < CALLS; nth++) {
            TestStore fixture = TestStore.in(base.resolve(operation + "-" + nth));
            FaultPlan plan =
                    new FaultPlan().crashBefore(operation, nth, fixture.root() + "/vm|" + fixture.root() + "$");
            died = dies(fixture, plan, 1);
            assertThat(died || nth > 1)
                    .as("the first call of %s is reached", operation)
                    .isTrue();

            try (FilesystemDatastore store = fixture.open()) {
                SnapshotDirectory first = store.snapshots().snapshot(ROOT, day(1));
                if (first.exists() && first.isFinished()) {
                    requireWhole(first);
                }
                fixture.backup(store, day(2), fixture.chunk("after"));
                requireWhole(store.snapshots().snapshot(ROOT, day(2)));
                assertThat(store.snapshots().group(ROOT, GROUP).forget()).isEmpty();
                assertThat(fixture.root().resolve("vm/100")).doesNotExist();
            }
        }
        assertThat(died)
                .as("a backup makes fewer than %d calls of %s", CALLS, operation)
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"CREATE", "MAKE_DIRECTORY", "WRITE", "RENAME", "FSYNC", "SYNC_FILESYSTEM"})
    void backupOnAFullDisk_failsAndLeavesNoSnapshot(PosixOperation operation) throws IOException {
        boolean failed = true;
        for (int nth = 1; failed && nth < CALLS; nth++) {
            TestStore fixture = TestStore.in(base.resolve(operation + "-" + nth));
            FaultPlan plan =
                    new FaultPlan().fail(operation, nth, fixture.root() + "/vm|" + fixture.root() + "$", Errno.ENOSPC);
            failed = fails(fixture, plan, 1);
            assertThat(failed || nth > 1)
                    .as("the first call of %s is reached", operation)
                    .isTrue();
            if (failed) {
                assertThat(fixture.root().resolve("vm/100")).doesNotExist();
            }
            try (FilesystemDatastore store = fixture.open()) {
                assertThat(store.processLock().orElseThrow().oldestWriter()).isEmpty();
                fixture.backup(store, day(2), fixture.chunk("after"));
            }
        }
        assertThat(failed)
                .as("a backup makes fewer than %d calls of %s", CALLS, operation)
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = PosixOperation.class,
            names = {"UNLINK", "REMOVE_DIRECTORY"})
    void forgetThatDies_neverLeavesAFinishedSnapshotWithoutArchives(PosixOperation operation) throws IOException {
        boolean died = true;
        for (int nth = 1; died && nth < CALLS; nth++) {
            TestStore fixture = TestStore.in(base.resolve(operation + "-" + nth));
            try (FilesystemDatastore store = fixture.open()) {
                fixture.backup(store, day(1), fixture.chunk("x"));
                store.snapshots().group(ROOT, GROUP).setNotes("notes");
            }
            FaultPlan plan =
                    new FaultPlan().crashBefore(operation, nth, fixture.root().toString());
            died = false;
            try (FilesystemDatastore store = faulty(fixture, plan)) {
                store.snapshots().snapshot(ROOT, day(1)).forget();
            } catch (SimulatedCrash crash) {
                died = true;
            }
            assertThat(died || nth > 1)
                    .as("the first call of %s is reached", operation)
                    .isTrue();
            try (FilesystemDatastore store = fixture.open()) {
                SnapshotDirectory first = store.snapshots().snapshot(ROOT, day(1));
                if (first.exists() && first.isFinished()) {
                    requireWhole(first);
                }
                fixture.backup(store, day(2), fixture.chunk("after"));
                assertThat(store.snapshots().group(ROOT, GROUP).owner()).isEqualTo(TestStore.OWNER);
            }
        }
        assertThat(died)
                .as("a forget makes fewer than %d calls of %s", CALLS, operation)
                .isFalse();
    }

    private static boolean dies(TestStore fixture, FaultPlan plan, int day) throws IOException {
        try (FilesystemDatastore store = faulty(fixture, plan)) {
            fixture.backup(store, day(day), fixture.chunk("x"), fixture.chunk("y"));
            return false;
        } catch (SimulatedCrash crash) {
            return true;
        }
    }

    private static boolean fails(TestStore fixture, FaultPlan plan, int day) throws IOException {
        Chunk x = fixture.chunk("x");
        Chunk y = fixture.chunk("y");
        try (FilesystemDatastore store = faulty(fixture, plan)) {
            fixture.backup(store, day(day), x, y);
            return false;
        } catch (DatastoreException failure) {
            assertThat(failure).hasMessageContaining("no space left");
            return true;
        }
    }

    private static FilesystemDatastore faulty(TestStore fixture, FaultPlan plan) throws DatastoreException {
        return TestStore.at(
                        fixture.root(),
                        fixture.root().resolveSibling("locks"),
                        new FaultyPosixFiles(JnrPosixFiles.load(), plan))
                .factory()
                .open(
                        new StoreSettings(
                                "store", fixture.root(), DatastoreTuning.DEFAULTS.with("sync-level", "filesystem")),
                        AccessMode.READ_WRITE);
    }

    private static void requireWhole(SnapshotDirectory snapshot) throws DatastoreException {
        try (SnapshotReader reader = snapshot.open(null);
                IndexReader index = reader.index(DATA)) {
            assertThat(index.count()).isPositive();
        }
    }

    private static SnapshotId day(int day) {
        return SnapshotId.parse("vm/100/2026-01-0" + day + "T00:00:00Z");
    }
}
