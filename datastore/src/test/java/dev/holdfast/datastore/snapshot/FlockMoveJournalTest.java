package dev.holdfast.datastore.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlockMoveJournalTest {

    private final PosixFiles files = JnrPosixFiles.load();
    private final List<Path> seen = new ArrayList<>();

    @TempDir
    Path dir;

    private DirectoryLocks locks;
    private MoveJournal journal;

    @BeforeEach
    void open() {
        locks = new DirectoryLocks(files, dir, "store1", FileOwner.UNCHANGED);
        journal = new FlockMoveJournal(files, locks);
    }

    private Path write(String content) throws IOException {
        Files.createDirectories(locks.moveJournal().getParent());
        return Files.writeString(locks.moveJournal(), content);
    }

    private boolean lockedByOthers() throws DatastoreException {
        try (LockHandle other = files.openLock(locks.moveJournal(), 0660)) {
            return !other.tryFlock(true);
        } catch (PosixException e) {
            throw new DatastoreException("the journal cannot be tried", e);
        }
    }

    @Test
    void missingJournal_isEmptyAndIsNotMade() throws IOException {
        journal.drain(seen::add);
        journal.peek(seen::add);
        assertThat(seen).isEmpty();
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void drain_handsOutEveryPathThenEmpties() throws IOException {
        Path file = write("/store/vm/1/a.fidx\n/store/vm/2/b c.didx\n/store/cut/off");
        journal.drain(path -> {
            seen.add(path);
            assertThat(lockedByOthers()).isTrue();
        });
        assertThat(seen)
                .containsExactly(
                        Path.of("/store/vm/1/a.fidx"), Path.of("/store/vm/2/b c.didx"), Path.of("/store/cut/off"));
        assertThat(file).isEmptyFile();
        journal.drain(seen::add);
        assertThat(seen).hasSize(3);
    }

    @Test
    void failedDrain_emptiesNothingAndReleases() throws IOException {
        Path file = write("/a\n/b\n");
        assertThatThrownBy(() -> journal.drain(path -> {
                    throw new DatastoreException("cannot mark " + path);
                }))
                .hasMessage("cannot mark /a");
        assertThat(file).hasContent("/a\n/b\n");
        journal.drain(seen::add);
        assertThat(seen).hasSize(2);
    }

    @Test
    void peek_takesNoLockAndChangesNothing() throws IOException {
        Path file = write("/a\n");
        try (DirectoryLocks.Guard held = locks.lockMoveJournal()) {
            assertThat(held).isNotNull();
            journal.peek(seen::add);
        }
        assertThat(seen).containsExactly(Path.of("/a"));
        assertThat(file).hasContent("/a\n");
    }

    @Test
    void damagedJournal_isRefusedAndStays() throws IOException {
        Path file = write("/a\nrelative\n");
        assertThatThrownBy(() -> journal.drain(seen::add))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("relative");
        assertThat(seen).isEmpty();
        assertThat(file).hasContent("/a\nrelative\n");
        Files.write(file, new byte[] {'/', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> journal.drain(seen::add)).isInstanceOf(FormatException.class);
        write("/a\0b\n");
        assertThatThrownBy(() -> journal.drain(seen::add)).isInstanceOf(FormatException.class);
    }
}
