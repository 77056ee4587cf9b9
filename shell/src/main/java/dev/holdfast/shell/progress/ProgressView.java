package dev.holdfast.shell.progress;

import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskState;
import dev.holdfast.engine.task.WorkerTask;
import java.io.PrintStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows one command's tasks. The work only stores numbers; a thread of its own shows them. Safe for use by any thread.
 */
public final class ProgressView implements TaskListener, AutoCloseable {

    /** Lines come at least every 10 s; half of that leaves room for a busy machine. */
    static final long LINE_MILLIS = 5_000;

    private static final long BAR_MILLIS = 200;

    /** Warnings shown one by one; the rest is counted. All of them are in the task's log. */
    private static final int WARNINGS_SHOWN = 20;

    /** How progress is shown. */
    public enum Form {
        NONE,
        LINES,
        BAR
    }

    private final PrintStream err;
    private final Form form;
    private final int width;
    private final LongSupplier nanos;
    private @Nullable ScheduledExecutorService ticker;
    private @Nullable Bar bar;
    private long warnings;
    private volatile @Nullable Phase current;

    /** One measurement; its numbers are written by the work and read by the ticker. */
    private static final class Phase {
        final String name;
        final String unit;
        final long start;
        volatile long done;
        volatile long total;
        volatile long advanced;
        volatile @Nullable Left left;

        Phase(String name, String unit, long now) {
            this.name = name;
            this.unit = unit;
            start = now;
            advanced = now;
        }
    }

    /** What the work itself says of the time left, and when it said so. */
    private record Left(long millis, long at) {}

    /**
     * @param width columns of the terminal
     * @param nanos a clock that only goes forward, in nanoseconds
     */
    public ProgressView(PrintStream err, Form form, int width, LongSupplier nanos) {
        this.err = err;
        this.form = form;
        this.width = width;
        this.nanos = nanos;
    }

    @Override
    public synchronized void started(WorkerTask task) {
        if (form == Form.NONE || ticker != null) {
            return;
        }
        long period = form == Form.BAR ? BAR_MILLIS : LINE_MILLIS;
        ticker = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
        });
        ticker.scheduleAtFixedRate(this::tick, period, period, TimeUnit.MILLISECONDS);
    }

    @Override
    public void progress(String phase, long done, long total, String unit) {
        Phase known = current;
        long now = nanos.getAsLong();
        if (known == null || !known.name.equals(phase) || !known.unit.equals(unit)) {
            known = new Phase(phase, unit, now);
            current = known;
        }
        if (done != known.done) {
            known.done = done;
            known.advanced = now;
        }
        known.total = total;
    }

    @Override
    public void remaining(String phase, long millis) {
        Phase known = current;
        if (known != null && known.name.equals(phase)) {
            known.left = new Left(millis, nanos.getAsLong());
        }
    }

    @Override
    public synchronized void warning(String line) {
        warnings++;
        if (warnings <= WARNINGS_SHOWN) {
            clearBar();
            err.println("warning: " + line);
        }
    }

    @Override
    public synchronized void finished(TaskState state) {
        clearBar();
        if (warnings > WARNINGS_SHOWN) {
            err.println("warning: " + (warnings - WARNINGS_SHOWN) + " more warnings are in the task's log");
            warnings = 0;
        }
    }

    /** How far the last phase came, for the message of an abort. */
    public Optional<String> partialFigures() {
        return figures().map(ProgressFigures::brief);
    }

    @Override
    public synchronized void close() {
        if (ticker != null) {
            ticker.shutdownNow();
            ticker = null;
        }
        clearBar();
    }

    private Optional<ProgressFigures> figures() {
        Phase phase = current;
        if (phase == null) {
            return Optional.empty();
        }
        long now = nanos.getAsLong();
        return Optional.of(new ProgressFigures(
                phase.name,
                phase.unit,
                phase.done,
                phase.total,
                new ProgressFigures.Times(
                        now - phase.start, Math.max(0, now - phase.advanced), leftNanos(phase.left, now))));
    }

    private static OptionalLong leftNanos(@Nullable Left left, long now) {
        if (left == null) {
            return OptionalLong.empty();
        }
        if (left.millis() < 0) {
            return OptionalLong.of(-1);
        }
        return OptionalLong.of(Math.max(0, TimeUnit.MILLISECONDS.toNanos(left.millis()) - (now - left.at())));
    }

    synchronized void tick() {
        figures().ifPresent(figures -> {
            if (form == Form.LINES) {
                err.println(figures.line());
            } else if (ticker != null) {
                show(figures);
            }
        });
    }

    private void show(ProgressFigures figures) {
        if (bar == null || !bar.shows(figures)) {
            clearBar();
            bar = new Bar(err, width, figures);
        }
        bar.update(figures);
    }

    private void clearBar() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
