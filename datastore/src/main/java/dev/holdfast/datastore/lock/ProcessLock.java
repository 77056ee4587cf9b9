package dev.holdfast.datastore.lock;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.OptionalLong;

/**
 * The lock file of a store, by POSIX record locks: shared for writers, exclusive for garbage collection.
 *
 * <p>Inside one process shared and exclusive coexist; between processes they exclude each other.
 */
public final class ProcessLock {

    private ProcessLock() {}

    /** Opens (and creates, if missing) the lock file; one instance per file and process, shared by all who open it. */
    public static ProcessLock open(PosixFiles files, Path lockFile, Clock clock) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Becomes a writer, and remembers when.
     *
     * @throws dev.holdfast.datastore.error.LockTimeoutException if another process holds the lock exclusively
     */
    public Guard acquireShared() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * Excludes the writers of other processes.
     *
     * @throws dev.holdfast.datastore.error.LockTimeoutException if this process holds it exclusively already, or another
     *     process holds it in any way
     */
    public Guard acquireExclusive() throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** When the oldest writer of this process started, in Unix seconds; empty if there is none. */
    public OptionalLong oldestWriter() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Releases what was acquired; idempotent. */
    public interface Guard extends AutoCloseable {
        @Override
        void close();
    }
}
