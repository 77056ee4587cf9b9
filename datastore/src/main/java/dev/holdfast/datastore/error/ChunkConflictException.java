package dev.holdfast.datastore.error;

import dev.holdfast.api.model.ChunkDigest;
import org.jspecify.annotations.Nullable;

/** An insert would replace a chunk by one that must not take its place (encrypted over plain). */
public class ChunkConflictException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final transient ChunkDigest digest;

    public ChunkConflictException(ChunkDigest digest, String message) {
        this(digest, message, null);
    }

    public ChunkConflictException(ChunkDigest digest, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.digest = digest;
    }

    public ChunkDigest digest() {
        return digest;
    }
}
