package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.DatastoreException;
import java.nio.file.Path;

/** What was to be backed up is not there. */
public final class NoSourceException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    NoSourceException(Path path) {
        super(path + ": no such file or directory");
    }
}
