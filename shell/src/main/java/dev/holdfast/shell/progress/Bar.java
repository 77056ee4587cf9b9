package dev.holdfast.shell.progress;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal for one phase. */
final class Bar implements AutoCloseable {

    private static final long MEBIBYTE = 1024 * 1024;

    /** Back to the first column, and clear the line. */
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private final ProgressBar bar;
    private final String phase;
    private final String unit;

    Bar(PrintStream err, int width, ProgressFigures figures) {
        this.err = err;
        phase = figures.phase();
        unit = figures.unit();
        boolean bytes = unit.equals("bytes");
        bar = new ProgressBarBuilder()
                .setTaskName(phase)
                .setInitialMax(figures.total())
                .setUnit(bytes ? " MiB" : " " + unit, bytes ? MEBIBYTE : 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(err, width))
                // We call it ourselves; its own thread would only repaint the same.
                .setUpdateIntervalMillis((int) Duration.ofHours(1).toMillis())
                .showSpeed()
                // Its own estimate knows only the counts.
                .hideEta()
                .build();
    }

    boolean shows(ProgressFigures figures) {
        return phase.equals(figures.phase()) && unit.equals(figures.unit());
    }

    void update(ProgressFigures figures) {
        bar.maxHint(figures.total());
        bar.stepTo(figures.done());
        bar.setExtraMessage(
                figures.left().map(left -> " " + left + " left,").orElse("") + " idle " + figures.idleSeconds() + " s");
        bar.refresh();
    }

    @Override
    public void close() {
        bar.close();
        err.print(CLEAR);
        err.flush();
    }
}
