package dev.holdfast.engine.task;

import dev.holdfast.api.model.Upid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Who we are among the processes of this machine.
 *
 * @param node short host name
 * @param pid process id
 * @param pstart start of the process in clock ticks since boot
 * @param user who runs it, as {@code name@realm}
 */
public record ProcessIdentity(String node, long pid, long pstart, String user) {

    private static final Path PROC = Path.of("/proc");

    /** Field 22 of {@code stat}, counted after the command name, which ends at the last closing parenthesis. */
    private static final int START_FIELD_AFTER_NAME = 22 - 3;

    /** Reads the identity of this process from {@code /proc}. */
    public static ProcessIdentity current() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(hostName(), pid, startOf(pid).orElse(0), userName());
    }

    /** When a process started, or empty if there is none of that id (or it cannot be seen). */
    static OptionalLong startOf(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return OptionalLong.of(Long.parseLong(fields[START_FIELD_AFTER_NAME]));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return OptionalLong.empty();
        }
    }

    /** Whether the process that a task belonged to still runs. */
    static boolean isAlive(Upid task) {
        OptionalLong start = startOf(task.process().pid());
        return start.isPresent() && start.getAsLong() == task.process().start();
    }

    private static String hostName() {
        String name;
        try {
            name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            name = localHostName();
        }
        int dot = name.indexOf('.');
        String label = (dot >= 0 ? name.substring(0, dot) : name).replaceAll("[^A-Za-z0-9-]", "-");
        String trimmed = label.replaceAll("^-+|-+$", "");
        return trimmed.isEmpty() ? "localhost" : trimmed;
    }

    private static String localHostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String userName() {
        String name = System.getProperty("user.name", "").replaceAll("[\\s:/@!]", "");
        return (name.isEmpty() || name.equals("?") ? "root" : name) + "@pam";
    }
}
