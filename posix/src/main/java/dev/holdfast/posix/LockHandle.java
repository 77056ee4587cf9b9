package dev.holdfast.posix;

/** A descriptor that holds, or is ready to hold, a lock on one file. {@code close} is idempotent and releases the lock. */
public interface LockHandle extends AutoCloseable {

    String path();

    /** Looks at the file that is open, wherever its name is now. */
    void stat(FileStat into) throws PosixException;

    /**
     * {@code flock(2)}, without waiting. Converts a lock that is held already.
     *
     * @return false if another open file description holds a lock that conflicts
     */
    boolean tryFlock(boolean exclusive) throws PosixException;

    /**
     * A POSIX record lock over the whole file ({@code F_SETLK}), without waiting. Closing <em>any</em> descriptor of the
     * file in this process drops it; a process never conflicts with itself.
     *
     * @return false if another process holds a lock that conflicts
     */
    boolean tryRecordLock(boolean exclusive) throws PosixException;

    /** Drops the record lock and keeps the descriptor. */
    void unlockRecord() throws PosixException;

    /** The process that holds a conflicting record lock ({@code F_GETLK}), or 0 if none does. */
    int recordLockHolder(boolean exclusive) throws PosixException;

    @Override
    void close();
}
