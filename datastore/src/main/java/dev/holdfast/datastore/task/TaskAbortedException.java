package dev.holdfast.datastore.task;

import dev.holdfast.datastore.error.DatastoreException;

/** The task was told to stop, and did. */
public final class TaskAbortedException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    public TaskAbortedException() {
        super("aborted on request");
    }
}
