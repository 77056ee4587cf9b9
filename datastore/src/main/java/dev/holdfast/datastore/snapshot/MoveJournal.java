package dev.holdfast.datastore.snapshot;

import dev.holdfast.datastore.error.DatastoreException;
import java.nio.file.Path;

/** Where moves of snapshots are announced before they happen, so that a garbage collection marks both ends. */
public interface MoveJournal {

    /** Called with the absolute path that an index will have after its move. */
    @FunctionalInterface
    interface PathConsumer {
        void accept(Path index) throws DatastoreException;
    }

    /** Hands every announced path to the consumer, then empties the journal; on an error nothing is emptied. */
    void drain(PathConsumer consumer) throws DatastoreException;

    /** Hands every announced path to the consumer and leaves the journal alone. */
    void peek(PathConsumer consumer) throws DatastoreException;
}
