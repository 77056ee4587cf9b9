package dev.holdfast.archive.chunk;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Cuts what is written to it and hands each chunk to a sink; for producers that write, such as an archive encoder.
 *
 * <p>{@link #close} hands over the last chunk; {@code flush} does nothing, since a chunk ends only where the chunker
 * says so. After a failure of the sink nothing more may be written, and close hands over nothing. One thread at a time.
 */
public final class ChunkingOutputStream extends OutputStream {

    private final Chunker chunker;
    private final ChunkSink sink;
    private final ChunkBuffer buffer = new ChunkBuffer();

    private int filled;
    private long start;
    private boolean done;

    /** @param chunker at the beginning of a stream; from now on used by this object alone */
    public ChunkingOutputStream(Chunker chunker, ChunkSink sink) {
        this.chunker = chunker;
        this.sink = sink;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (done) {
            throw new IOException("the stream of chunks has ended");
        }
        int at = offset;
        int left = length;
        while (left > 0) {
            int cut = chunker.scan(bytes, at, left);
            int take = cut > 0 ? cut : left;
            System.arraycopy(bytes, at, buffer.ensure(filled + take), filled, take);
            filled += take;
            at += take;
            left -= take;
            if (cut > 0) {
                emit();
            }
        }
    }

    /** Bytes written so far. */
    public long position() {
        return start + filled;
    }

    private void emit() throws IOException {
        int length = filled;
        filled = 0;
        boolean handedOver = false;
        try {
            sink.accept(buffer.bytes(), length, start);
            handedOver = true;
        } finally {
            done |= !handedOver;
        }
        start += length;
    }

    @Override
    public void close() throws IOException {
        if (!done) {
            if (filled > 0) {
                emit();
            }
            done = true;
        }
    }
}
