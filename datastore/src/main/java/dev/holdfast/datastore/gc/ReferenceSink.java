package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.error.DatastoreException;

/** Takes every reference from an index to a chunk. Called by one thread. */
interface ReferenceSink {

    /**
     * One reference.
     *
     * @param digest holds the 32 bytes from {@code offset} on; valid during the call only
     * @param index number of the index, see {@link MarkedIndexes}
     */
    void reference(byte[] digest, int offset, int index) throws DatastoreException;
}
