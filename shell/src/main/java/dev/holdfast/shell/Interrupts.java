package dev.holdfast.shell;

import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.ShellSession;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * Ctrl-C (and a polite kill) of a one-shot command or script: the running task is asked to stop, and gets a moment to put
 * things in order; what has not stopped then is ended. A second Ctrl-C ends at once.
 */
final class Interrupts {

    /** The promise is 2 s in all; what is left pays for the message and the exit. */
    private static final long GRACE_MILLIS = 1_600;

    private final ShellSession session;
    private final AtomicBoolean asked = new AtomicBoolean();

    Interrupts(ShellSession session) {
        this.session = session;
    }

    void install() {
        Signals.register("INT", this::interrupted);
        Signals.register("TERM", this::interrupted);
    }

    /** Whether a stop was asked for. */
    boolean wasAsked() {
        return asked.get();
    }

    private void interrupted() {
        if (!asked.compareAndSet(false, true) || session.abort() == 0) {
            end("aborted");
        }
        Thread patience = new Thread(
                () -> {
                    try {
                        Thread.sleep(GRACE_MILLIS);
                        end("aborted before everything was put in order");
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "patience");
        patience.setDaemon(true);
        patience.start();
    }

    private void end(String message) {
        String figures = session.partialFigures();
        session.err().println("holdfast: " + message + (figures.isEmpty() ? "" : "; " + figures));
        session.err().flush();
        Runtime.getRuntime().halt(ExitCode.ABORTED);
    }
}
