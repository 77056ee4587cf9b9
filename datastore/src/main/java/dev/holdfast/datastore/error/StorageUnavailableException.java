package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** A transient failure: a later run may succeed. */
public class StorageUnavailableException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String path;

    public StorageUnavailableException(String path, String message) {
        this(path, message, null);
    }

    public StorageUnavailableException(String path, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    public String path() {
        return path;
    }
}
