package dev.holdfast.datastore.error;

import dev.holdfast.api.model.ChunkDigest;
import org.jspecify.annotations.Nullable;

/** A chunk is certainly absent. */
public class ChunkMissingException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final transient ChunkDigest digest;

    public ChunkMissingException(ChunkDigest digest, String message) {
        this(digest, message, null);
    }

    public ChunkMissingException(ChunkDigest digest, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.digest = digest;
    }

    public ChunkDigest digest() {
        return digest;
    }
}
