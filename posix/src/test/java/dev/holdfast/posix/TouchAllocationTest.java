package dev.holdfast.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A garbage collection touches millions of chunks: a touch, or a stat, must not leave garbage of its own. */
class TouchAllocationTest {

    private static final int CALLS = 100_000;

    @TempDir
    Path dir;

    private interface Call {
        boolean run() throws IOException;
    }

    @Test
    void touchAndStat_allocateNothing() throws IOException {
        byte[] name = "ab".repeat(32).getBytes(US_ASCII);
        byte[] missing = "cd".repeat(32).getBytes(US_ASCII);
        Files.createFile(dir.resolve("ab".repeat(32)));
        FileStat stat = new FileStat();
        try (DirectoryHandle handle = JnrPosixFiles.load().openDirectory(dir)) {
            assertThat(bytesPerCall(() -> handle.touch(name))).isLessThan(1.0);
            assertThat(bytesPerCall(() -> !handle.touch(missing))).isLessThan(1.0);
            assertThat(bytesPerCall(() -> handle.stat(name, stat))).isLessThan(1.0);
        }
    }

    private static double bytesPerCall(Call call) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        int failures = run(call, CALLS);
        long before = threads.getThreadAllocatedBytes(id);
        failures += run(call, CALLS);
        long allocated = threads.getThreadAllocatedBytes(id) - before;
        assertThat(failures).isZero();
        return (double) allocated / CALLS;
    }

    private static int run(Call call, int times) throws IOException {
        int failures = 0;
        for (int i = 0; i < times; i++) {
            failures += call.run() ? 0 : 1;
        }
        return failures;
    }
}
