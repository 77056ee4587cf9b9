package dev.holdfast.engine.wiring;

import dev.holdfast.datastore.error.DatastoreException;

/** The configuration names no such datastore. */
public final class NotConfiguredException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public NotConfiguredException(String name, String message) {
        super(message);
        this.name = name;
    }

    public String name() {
        return name;
    }
}
