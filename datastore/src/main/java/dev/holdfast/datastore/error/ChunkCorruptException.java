package dev.holdfast.datastore.error;

import dev.holdfast.api.model.ChunkDigest;
import org.jspecify.annotations.Nullable;

/** A chunk's container, checksum, tag, size or digest is wrong. */
public class ChunkCorruptException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final transient ChunkDigest digest;

    public ChunkCorruptException(ChunkDigest digest, String message) {
        this(digest, message, null);
    }

    public ChunkCorruptException(ChunkDigest digest, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.digest = digest;
    }

    public ChunkDigest digest() {
        return digest;
    }
}
