package dev.holdfast.archive.chunk;

/**
 * Finds the places at which a stream is cut.
 *
 * <p>The stream is handed over piece by piece; where the cuts fall depends on its bytes alone, never on how it was split
 * into pieces. An instance keeps the state of one stream and may be used by one thread at a time.
 */
public interface Chunker {

    /**
     * Looks for the next cut. After a cut, call again with the bytes behind it.
     *
     * @return the number of bytes, counted from {@code offset}, up to the cut (1 to {@code length}), or 0 if all bytes
     *     were taken in and the chunk goes on
     */
    int scan(byte[] buffer, int offset, int length);

    /** No chunk is longer than this, in bytes. */
    int maximumSize();

    /** Forgets the chunk that has been begun: the next byte is the first one of a chunk. */
    void reset();
}
