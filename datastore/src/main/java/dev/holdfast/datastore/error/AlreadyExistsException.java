package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** What was to be created exists already. */
public class AlreadyExistsException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public AlreadyExistsException(String name, String message) {
        this(name, message, null);
    }

    public AlreadyExistsException(String name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name;
    }

    public String name() {
        return name;
    }
}
