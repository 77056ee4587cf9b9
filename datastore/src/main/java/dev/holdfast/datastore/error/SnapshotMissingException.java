package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** A snapshot, group or namespace is not there, or vanished between listing and opening. */
public class SnapshotMissingException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public SnapshotMissingException(String name, String message) {
        this(name, message, null);
    }

    public SnapshotMissingException(String name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name;
    }

    public String name() {
        return name;
    }
}
