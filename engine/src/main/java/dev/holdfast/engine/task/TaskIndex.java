package dev.holdfast.engine.task;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.holdfast.api.model.Upid;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The lists of running and finished tasks: {@code active}, {@code archive}, {@code archive.1}, {@code archive.2.zst}, and
 * so on, under the lock file {@code .active.lock}. Several processes may share one directory.
 */
final class TaskIndex {

    /** Size at which the archive is rotated, in bytes. */
    static final long ROTATE_BYTES = 512 * 1024;

    /** Rotated files that are kept. */
    static final int ROTATE_KEEP = 20;

    /** How long to wait for the lock. */
    private static final long LOCK_WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long LOCK_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** From this number on rotated files are compressed. */
    private static final int FIRST_COMPRESSED = 2;

    private final PosixFiles files;
    private final Path directory;

    TaskIndex(PosixFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    Path logFile(Upid upid) {
        return directory.resolve(subdirectory(upid)).resolve(upid.toString());
    }

    /** The two hex digits that spread log files over 256 directories. */
    static String subdirectory(Upid upid) {
        return String.format(Locale.ROOT, "%02X", upid.process().start() & 0xff);
    }

    /** Adds a task that starts now, and moves those that have ended to the archive. */
    void add(Upid upid) throws IOException {
        update(active -> active.add(TaskEntry.running(upid)));
    }

    /** Records how a task ended. */
    void finish(Upid upid, TaskState state, long endTime) throws IOException {
        update(active ->
                active.replaceAll(entry -> entry.upid().equals(upid) ? new TaskEntry(upid, endTime, state) : entry));
    }

    /** All tasks, running ones and those that ended last first, {@code limit} at most. */
    List<TaskEntry> list(int limit) throws IOException {
        List<TaskEntry> found = new ArrayList<>();
        LockHandle lock = lock(false);
        try {
            lastFirst(read(directory.resolve("active")), found, limit);
            lastFirst(read(directory.resolve("archive")), found, limit);
            for (int i = 1; i <= ROTATE_KEEP && found.size() < limit; i++) {
                lastFirst(read(rotated(i)), found, limit);
            }
        } finally {
            lock.close();
        }
        return found;
    }

    private static void lastFirst(List<TaskEntry> lines, List<TaskEntry> found, int limit) {
        for (int i = lines.size() - 1; i >= 0 && found.size() < limit; i--) {
            found.add(lines.get(i));
        }
    }

    private interface Change {
        void apply(List<TaskEntry> active);
    }

    private void update(Change change) throws IOException {
        LockHandle lock = lock(true);
        try {
            List<TaskEntry> active = new ArrayList<>(read(directory.resolve("active")));
            change.apply(active);
            List<TaskEntry> still = new ArrayList<>();
            List<TaskEntry> ended = new ArrayList<>();
            for (TaskEntry entry : active) {
                if (entry.isRunning() && ProcessIdentity.isAlive(entry.upid())) {
                    still.add(entry);
                } else {
                    ended.add(entry.isRunning() ? fromLog(entry.upid()) : entry);
                }
            }
            ended.sort(Comparator.comparingLong(TaskEntry::endTime));
            if (!ended.isEmpty()) {
                rotateIfLarge();
                append(directory.resolve("archive"), ended);
            }
            replace(directory.resolve("active"), still);
        } finally {
            lock.close();
        }
    }

    private TaskEntry fromLog(Upid upid) throws IOException {
        Path log = logFile(upid);
        if (!Files.exists(log)) {
            return new TaskEntry(upid, upid.startTime(), TaskState.UNKNOWN);
        }
        TaskLog.Result result = TaskLog.result(log, upid.startTime());
        return new TaskEntry(upid, result.endTime(), result.state());
    }

    private List<TaskEntry> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        String text;
        try (InputStream in = open(file)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<TaskEntry> entries = new ArrayList<>();
        text.lines().forEach(line -> TaskEntry.parse(line).ifPresent(entries::add));
        return entries;
    }

    private static InputStream open(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        return file.toString().endsWith(".zst") ? new ZstdInputStream(raw) : raw;
    }

    private static void append(Path file, List<TaskEntry> entries) throws IOException {
        Files.writeString(file, text(entries), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void replace(Path file, List<TaskEntry> entries) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text(entries));
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String text(List<TaskEntry> entries) {
        StringBuilder text = new StringBuilder();
        entries.forEach(entry -> text.append(entry.line()).append('\n'));
        return text.toString();
    }

    private Path rotated(int number) {
        return directory.resolve("archive." + number + (number >= FIRST_COMPRESSED ? ".zst" : ""));
    }

    private void rotateIfLarge() throws IOException {
        Path archive = directory.resolve("archive");
        if (!Files.exists(archive) || Files.size(archive) < ROTATE_BYTES) {
            return;
        }
        Files.deleteIfExists(rotated(ROTATE_KEEP));
        for (int i = ROTATE_KEEP - 1; i >= 1; i--) {
            if (!Files.exists(rotated(i))) {
                continue;
            }
            if (i + 1 == FIRST_COMPRESSED) {
                compress(rotated(i), rotated(i + 1));
            } else {
                Files.move(rotated(i), rotated(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(archive, rotated(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void compress(Path from, Path to) throws IOException {
        Path temporary = to.resolveSibling(to.getFileName() + ".tmp");
        try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(temporary))) {
            Files.copy(from, out);
        }
        Files.move(temporary, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.delete(from);
    }

    private LockHandle lock(boolean exclusive) throws IOException {
        Path file = directory.resolve(".active.lock");
        LockHandle lock = files.openLock(file, 0644);
        long deadline = System.nanoTime() + LOCK_WAIT_NANOS;
        try {
            while (!lock.tryFlock(exclusive)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("the task list is locked by another process: " + file);
                }
                LockSupport.parkNanos(LOCK_RETRY_NANOS);
            }
            return lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }
}
