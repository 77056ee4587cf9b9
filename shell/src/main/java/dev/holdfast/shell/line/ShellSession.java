package dev.holdfast.shell.line;

import dev.holdfast.shell.output.Terminals;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What surrounds commands: streams, environment, clock, and the commands that run just now, so that Ctrl-C finds them. Safe
 * for use by any thread.
 */
public final class ShellSession {

    private final Streams streams;
    private final Surroundings surroundings;
    private final Set<Invocation> running = ConcurrentHashMap.newKeySet();
    private final Set<CountDownLatch> pauses = ConcurrentHashMap.newKeySet();
    private final Set<ShellSession> nested = ConcurrentHashMap.newKeySet();
    private final Consumer<CommandResult> results;
    private volatile String lastFigures = "";

    /** Standard input, output and error. */
    public record Streams(InputStream in, PrintStream out, PrintStream err) {}

    /**
     * What the process finds around it.
     *
     * @param environment environment variables
     * @param clock the time
     * @param nanos a clock that only goes forward, in nanoseconds
     */
    public record Surroundings(Map<String, String> environment, Clock clock, LongSupplier nanos) {}

    public ShellSession(Streams streams, Surroundings surroundings) {
        this(streams, surroundings, result -> {});
    }

    /** @param results receives each result that is printed */
    public ShellSession(Streams streams, Surroundings surroundings, Consumer<CommandResult> results) {
        this.streams = streams;
        this.surroundings = surroundings;
        this.results = results;
    }

    public PrintStream out() {
        return streams.out();
    }

    /** Standard output for data: unlike a {@link PrintStream} it fails where it cannot be written. */
    public OutputStream data() {
        PrintStream stream = streams.out();
        return new FilterOutputStream(stream) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                stream.write(bytes, offset, length);
                if (stream.checkError()) {
                    throw new IOException("nobody takes it any more, or its disk is full");
                }
            }
        };
    }

    public PrintStream err() {
        return streams.err();
    }

    public InputStream in() {
        return streams.in();
    }

    public Map<String, String> environment() {
        return surroundings.environment();
    }

    public Clock clock() {
        return surroundings.clock();
    }

    LongSupplier nanos() {
        return surroundings.nanos();
    }

    /** Whether results go to a terminal. */
    boolean outIsTerminal() {
        return streams.out() == System.out && Terminals.isTerminal(1);
    }

    /** Whether messages go to a terminal. */
    boolean errIsTerminal() {
        return streams.err() == System.err && Terminals.isTerminal(2);
    }

    /** Makes an abort of this session reach another one, whose commands run inside one of ours. */
    public void enclose(ShellSession inner) {
        nested.add(inner);
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    void printed(CommandResult result) {
        results.accept(result);
    }

    /**
     * Waits; an abort ends the wait.
     *
     * @return false if it was aborted
     */
    public boolean pause(Duration duration) throws InterruptedException {
        CountDownLatch pause = new CountDownLatch(1);
        pauses.add(pause);
        try {
            return !pause.await(duration.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            pauses.remove(pause);
        }
    }

    /** Begins a command. */
    Invocation begin(GlobalOptions options, CommandLine commands) {
        Invocation invocation = new Invocation(this, options, commands);
        running.add(invocation);
        return invocation;
    }

    void ended(Invocation invocation) {
        lastFigures = invocation.partialFigures().orElse("");
        running.remove(invocation);
    }

    /** Asks all running tasks to stop, and ends pauses. @return how many there were */
    public int abort() {
        int ended = pauses.size();
        pauses.forEach(CountDownLatch::countDown);
        int inside = nested.stream().mapToInt(ShellSession::abort).sum();
        return ended + inside + running.stream().mapToInt(Invocation::abort).sum();
    }

    /** How far the running command, or the last one, has come; empty if that is not known. */
    public String partialFigures() {
        return running.stream()
                .flatMap(invocation -> invocation.partialFigures().stream())
                .findFirst()
                .or(() -> nested.stream()
                        .map(ShellSession::partialFigures)
                        .filter(figures -> !figures.isEmpty())
                        .findFirst())
                .orElse(lastFigures);
    }
}
