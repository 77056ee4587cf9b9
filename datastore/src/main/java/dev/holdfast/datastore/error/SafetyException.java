package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** Refused or stopped because going on could lose data; nothing has been removed unless the message says so. */
public class SafetyException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String path;

    public SafetyException(String path, String message) {
        this(path, message, null);
    }

    public SafetyException(String path, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    public String path() {
        return path;
    }
}
