package dev.holdfast.engine.wiring;

import dev.holdfast.datastore.error.DatastoreException;

/** The configuration says that a store is not open for this work. */
public final class MaintenanceException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    public MaintenanceException(String message) {
        super(message);
    }
}
