package dev.holdfast.datastore.blob;

import dev.holdfast.api.model.ChunkDigest;
import org.jspecify.annotations.Nullable;

/** Turns plain bytes into a {@link DataBlob}. One thread at a time; keep one per worker, it reuses its buffers. */
public final class BlobEncoder {

    /** @param compress whether to try zstd (level 1); it is used only where it does not grow the data */
    public BlobEncoder(boolean compress, @Nullable CryptConfig crypt) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** @throws IllegalArgumentException above {@link DataBlob#MAX_DATA_BYTES} */
    public DataBlob encode(byte[] data, int offset, int length) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The digest of a chunk with these plain bytes: keyed if there is a key. */
    public ChunkDigest digest(byte[] data, int offset, int length) {
        throw new UnsupportedOperationException("skeleton");
    }
}
