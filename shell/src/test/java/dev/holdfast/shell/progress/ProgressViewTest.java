package dev.holdfast.shell.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.engine.task.TaskState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong();
    private final ProgressView view = view(ProgressView.Form.LINES);

    private ProgressView view(ProgressView.Form form) {
        return new ProgressView(new PrintStream(err, true, StandardCharsets.UTF_8), form, 80, nanos::get);
    }

    private void seconds(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private String shown() {
        String text = err.toString(StandardCharsets.UTF_8);
        err.reset();
        return text.strip();
    }

    @Test
    void line_hasCountShareRateTimeLeftAndIdleTime() {
        view.progress("mark", 0, 1000, "references");
        seconds(10);
        view.progress("mark", 250, 1000, "references");
        seconds(3);
        view.tick();

        assertThat(shown())
                .isEqualTo("mark: 250 of 1000 references (25 %), 19 references/s, 39.0 s left, last advance 3 s ago");
    }

    @Test
    void timeLeftThatTheWorkTells_isShown_andRunsDown() {
        view.progress("mark", 0, 1000, "references");
        seconds(10);
        view.progress("mark", 900, 1000, "references");
        view.remaining("mark", 60_000);
        seconds(4);
        view.tick();
        assertThat(shown()).contains(", 56.0 s left, ");

        view.remaining("mark", -1);
        view.tick();
        assertThat(shown()).doesNotContain("left");
    }

    @Test
    void unknownTotal_hasNoShareAndNoTimeLeft() {
        view.progress("list", 7, -1, "files");
        seconds(1);
        view.tick();

        assertThat(shown()).isEqualTo("list: 7 files, 7.0 files/s, last advance 1 s ago");
    }

    @Test
    void otherPhase_startsAnew() {
        view.progress("mark", 5, 5, "references");
        seconds(100);
        view.progress("sweep", 1048576, 4194304, "bytes");
        seconds(1);
        view.tick();

        assertThat(shown()).startsWith("sweep: 1 MiB of 4 MiB (25 %), 1 MiB/s, 3.0 s left");
        assertThat(view.partialFigures()).contains("sweep: 1 MiB of 4 MiB");
    }

    @Test
    void nothingReported_showsNothing() {
        view.tick();

        assertThat(shown()).isEmpty();
        assertThat(view.partialFigures()).isEmpty();
    }

    @Test
    void manyWarnings_areCountedFromSomePointOn() {
        for (int i = 0; i < 25; i++) {
            view.warning("w" + i);
        }
        view.finished(TaskState.OK);

        assertThat(shown().lines()).hasSize(21).endsWith("warning: 5 more warnings are in the task's log");
    }

    @Test
    void lines_comeAtLeastEveryTenSeconds() {
        assertThat(ProgressView.LINE_MILLIS).isLessThanOrEqualTo(10_000);
    }
}
