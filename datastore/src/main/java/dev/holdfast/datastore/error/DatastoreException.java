package dev.holdfast.datastore.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Something about a store failed for good: a retry without a change will fail again. The subclasses name the kinds that
 * callers tell apart.
 */
public class DatastoreException extends IOException {

    private static final long serialVersionUID = 1L;

    public DatastoreException(String message) {
        super(message);
    }

    public DatastoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
