package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** A lock is held by somebody else; the message names the lock and, if known, the holder. */
public class LockTimeoutException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String lock;

    public LockTimeoutException(String lock, String message) {
        this(lock, message, null);
    }

    public LockTimeoutException(String lock, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lock = lock;
    }

    public String lock() {
        return lock;
    }
}
