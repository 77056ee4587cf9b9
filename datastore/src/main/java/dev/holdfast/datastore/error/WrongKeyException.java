package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** Encrypted content without its key, or with another one. */
public class WrongKeyException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public WrongKeyException(String name, String message) {
        this(name, message, null);
    }

    public WrongKeyException(String name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name;
    }

    public String name() {
        return name;
    }
}
