package dev.holdfast.shell.line;

import dev.holdfast.engine.job.Failure;

/** The exit codes. */
public final class ExitCode {

    public static final int OK = 0;
    public static final int ERROR = 1;
    public static final int USAGE = 2;
    public static final int WARNINGS = 3;
    public static final int NOT_FOUND = 10;
    public static final int LOCKED = 11;
    public static final int SAFETY = 12;
    public static final int DAMAGE = 13;
    public static final int ABORTED = 130;

    private ExitCode() {}

    /** The code for a failure. */
    static int of(Failure.Kind kind) {
        return switch (kind) {
            case ERROR -> ERROR;
            case INVALID -> USAGE;
            case NOT_FOUND -> NOT_FOUND;
            case LOCKED -> LOCKED;
            case SAFETY -> SAFETY;
            case DAMAGE -> DAMAGE;
            case ABORTED -> ABORTED;
        };
    }
}
