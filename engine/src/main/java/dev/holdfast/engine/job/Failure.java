package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.engine.wiring.MaintenanceException;
import dev.holdfast.engine.wiring.NotConfiguredException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * What a failure means to somebody outside: the one table from exceptions to kinds.
 *
 * @param kind the kind
 * @param message one line
 */
public record Failure(Kind kind, String message) {

    /** The kinds that callers tell apart. */
    public enum Kind {
        ERROR,
        /** A value was refused before anything was done. */
        INVALID,
        NOT_FOUND,
        LOCKED,
        SAFETY,
        DAMAGE,
        ABORTED
    }

    private static final String INTERNAL = "internal error";

    /** Whether this is a fault of the program and of nobody else. */
    public boolean isInternal() {
        return message.startsWith(INTERNAL);
    }

    /** Classifies what a job threw. */
    public static Failure of(Throwable e) {
        return new Failure(kind(e), message(e));
    }

    /** A failed system call as a failure of the job; keeps its kind. */
    static DatastoreException wrapped(PosixException e) {
        return new DatastoreException(e.getMessage(), e);
    }

    private static Kind kind(Throwable e) {
        if (e instanceof TaskAbortedException) {
            return Kind.ABORTED;
        }
        if (e instanceof SnapshotMissingException
                || e instanceof ChunkMissingException
                || e instanceof NotConfiguredException
                || e instanceof NotInArchiveException
                || e instanceof NoSourceException
                || e instanceof NoSuchFileException) {
            return Kind.NOT_FOUND;
        }
        if (e instanceof LockTimeoutException || e instanceof MaintenanceException) {
            return Kind.LOCKED;
        }
        if (e instanceof SafetyException) {
            return Kind.SAFETY;
        }
        if (e instanceof ChunkCorruptException || e instanceof FormatException) {
            return Kind.DAMAGE;
        }
        Throwable call =
                e.getCause() instanceof PosixException && e.getClass() == DatastoreException.class ? e.getCause() : e;
        if (call instanceof PosixException posix && posix.errno() == Errno.ENOENT) {
            return Kind.NOT_FOUND;
        }
        return e instanceof IllegalArgumentException ? Kind.INVALID : Kind.ERROR;
    }

    private static String message(Throwable e) {
        String text = e.getMessage() == null ? "" : e.getMessage().replaceAll("\\s*[\\r\\n]+\\s*", "; ");
        if (e instanceof NoSuchFileException) {
            return text + ": no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return text + ": permission denied";
        }
        if (e instanceof FileSystemException file && file.getReason() == null) {
            return text + ": " + e.getClass().getSimpleName();
        }
        boolean expected = e instanceof IOException || e instanceof IllegalArgumentException;
        return expected && !text.isEmpty()
                ? text
                : INTERNAL + ": " + e.getClass().getSimpleName() + (text.isEmpty() ? "" : ": " + text);
    }
}
