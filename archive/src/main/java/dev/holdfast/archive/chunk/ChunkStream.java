package dev.holdfast.archive.chunk;

import java.io.IOException;
import java.io.InputStream;

/**
 * Turns a stream into chunks, one at a time, in a buffer that is used again for every chunk.
 *
 * <p>Holds at most the longest chunk plus one read of 256 KiB. One thread at a time. The stream is not closed.
 */
public final class ChunkStream {

    private static final int READ = 1 << 18;

    private final InputStream in;
    private final Chunker chunker;
    private final ChunkBuffer buffer = new ChunkBuffer();

    private int chunkLength;
    private int filled;
    private long start;

    /** @param chunker at the beginning of a stream; from now on used by this object alone */
    public ChunkStream(InputStream in, Chunker chunker) {
        this.in = in;
        this.chunker = chunker;
    }

    /**
     * Goes on to the next chunk.
     *
     * @return false at the end of the stream; there is no empty chunk
     */
    public boolean next() throws IOException {
        byte[] bytes = buffer.bytes();
        System.arraycopy(bytes, chunkLength, bytes, 0, filled - chunkLength);
        filled -= chunkLength;
        start += chunkLength;
        chunkLength = 0;
        int scanned = 0;
        while (true) {
            if (scanned == filled) {
                bytes = buffer.ensure(filled + READ);
                int n = in.read(bytes, filled, READ);
                if (n < 0) {
                    chunkLength = filled;
                    chunker.reset();
                    return filled > 0;
                }
                filled += n;
            }
            int cut = chunker.scan(bytes, scanned, filled - scanned);
            if (cut > 0) {
                chunkLength = scanned + cut;
                return true;
            }
            scanned = filled;
        }
    }

    /** Holds the chunk at 0 to {@link #length()}; valid until the next call of {@link #next}. */
    public byte[] buffer() {
        return buffer.bytes();
    }

    /** Length of the chunk in bytes. */
    public int length() {
        return chunkLength;
    }

    /** Position of the chunk in the stream. */
    public long start() {
        return start;
    }
}
