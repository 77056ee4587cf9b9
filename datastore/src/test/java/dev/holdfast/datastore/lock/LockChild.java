package dev.holdfast.datastore.lock;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.lock.DirectoryLocks.LockMode;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Another process that takes locks on command: one line in, one line out. {@link #main} is that process, an instance is
 * the test's end of it.
 */
final class LockChild implements AutoCloseable {

    private static final SnapshotId SNAPSHOT = SnapshotId.parse("vm/100/2026-01-31T12:00:00Z");

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    private LockChild(Process process) {
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static LockChild forStore(Path store, Path lockDirectory) throws IOException {
        return new LockChild(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockChild.class.getName(),
                        store.toString(),
                        lockDirectory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command and waits for its answer: {@code ok}, {@code held} with the message, or {@code error}. */
    String ask(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the other process ended before it answered '" + command + "'");
        }
        return answer;
    }

    /** Ends the process as a crash would, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        commands.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws IOException {
        PosixFiles files = JnrPosixFiles.load();
        Deque<AutoCloseable> held = new ArrayDeque<>();
        DirectoryLocks locks = new DirectoryLocks(files, Path.of(args[1]), "store1", FileOwner.UNCHANGED);
        try (ProcessLock lock = ProcessLock.open(files, Path.of(args[0], ".lock"), Clock.systemUTC());
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(answer(line, lock, locks, held));
            }
        }
    }

    private static String answer(String command, ProcessLock lock, DirectoryLocks locks, Deque<AutoCloseable> held)
            throws IOException {
        try {
            switch (command) {
                case "shared" -> held.push(lock.acquireShared());
                case "exclusive" -> held.push(lock.acquireExclusive());
                case "group" -> held.push(locks.lockGroup(BackupNamespace.ROOT, SNAPSHOT.group()));
                case "snapshot-shared" ->
                    held.push(locks.lockSnapshot(BackupNamespace.ROOT, SNAPSHOT, LockMode.SHARED));
                case "snapshot-exclusive" ->
                    held.push(locks.lockSnapshot(BackupNamespace.ROOT, SNAPSHOT, LockMode.EXCLUSIVE));
                case "release" -> release(held.pop());
                default -> throw new IllegalArgumentException(command);
            }
            return "ok";
        } catch (LockTimeoutException e) {
            return "held " + e.getMessage();
        }
    }

    private static void release(AutoCloseable guard) throws IOException {
        if (guard instanceof ProcessLock.Guard process) {
            process.close();
        } else if (guard instanceof DirectoryLocks.Guard directory) {
            directory.close();
        }
    }
}
