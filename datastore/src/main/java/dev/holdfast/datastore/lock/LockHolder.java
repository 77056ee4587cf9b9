package dev.holdfast.datastore.lock;

import dev.holdfast.posix.FileStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Finds out who holds a lock, for messages only: by the time the answer is read, it may be over. Looks into
 * {@code /proc}; what cannot be read there is left out of the message.
 */
final class LockHolder {

    private static final Path PROC = Path.of("/proc");

    private LockHolder() {}

    /** For example {@code process 4711 (java)}, {@code this process}, or {@code another process} if there is no pid. */
    static String describe(long pid) {
        if (pid <= 0) {
            return "another process";
        }
        if (pid == ProcessHandle.current().pid()) {
            return "this process";
        }
        try {
            byte[] command = Files.readAllBytes(PROC.resolve(pid + "/comm"));
            return "process " + pid + " (" + new String(command, StandardCharsets.UTF_8).strip() + ")";
        } catch (IOException e) {
            return "process " + pid;
        }
    }

    /** The process that holds a flock on this file, if the kernel shows it. */
    static String describeFlock(FileStat file) {
        try {
            return describe(flockHolder(Files.readString(PROC.resolve("locks"), StandardCharsets.UTF_8), file)
                    .orElse(0));
        } catch (IOException e) {
            return describe(0);
        }
    }

    /** Searches the text of {@code /proc/locks}: {@code 1: FLOCK ADVISORY WRITE 4711 00:1a:233 0 EOF}. */
    static OptionalLong flockHolder(String locks, FileStat file) {
        long device = file.device();
        long major = (device >>> 8 & 0xfff) | (device >>> 32 & 0xfffff000L);
        long minor = (device & 0xff) | (device >>> 12 & 0xffffff00L);
        String wanted = "%02x:%02x:%d".formatted(major, minor, file.inode());
        for (String line : locks.split("\n", -1)) {
            String[] fields = line.strip().split("\\s+", -1);
            // Those that wait have "->" in the second place.
            if (fields.length >= 6 && fields[1].equals("FLOCK") && fields[5].equals(wanted)) {
                try {
                    return OptionalLong.of(Long.parseLong(fields[4]));
                } catch (NumberFormatException e) {
                    return OptionalLong.empty();
                }
            }
        }
        return OptionalLong.empty();
    }
}
