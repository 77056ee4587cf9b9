package dev.holdfast.archive.chunk;

import java.io.IOException;

/** Takes the chunks of a stream, in order. */
@FunctionalInterface
public interface ChunkSink {

    /**
     * Takes one chunk. The bytes are valid during the call only; a sink that needs them longer copies them.
     *
     * @param buffer holds the chunk at 0 to {@code length}
     * @param length at least 1
     * @param start position of the chunk in the stream
     */
    void accept(byte[] buffer, int length, long start) throws IOException;
}
