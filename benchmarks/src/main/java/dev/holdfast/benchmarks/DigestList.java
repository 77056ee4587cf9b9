package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Digests one after the other, 32 bytes each, in the order in which a mark first meets them. */
final class DigestList {

    private final byte[] bytes;

    DigestList(byte[] bytes) {
        this.bytes = bytes;
    }

    static DigestList read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length % ChunkDigest.BYTES != 0) {
            throw new IOException(file + " is no list of digests: its length is no multiple of " + ChunkDigest.BYTES);
        }
        return new DigestList(bytes);
    }

    int size() {
        return bytes.length / ChunkDigest.BYTES;
    }

    /** Where a digest begins in {@link #bytes}. */
    static int offset(int position) {
        return position * ChunkDigest.BYTES;
    }

    byte[] bytes() {
        return bytes;
    }
}
