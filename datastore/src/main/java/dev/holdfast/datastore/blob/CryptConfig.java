package dev.holdfast.datastore.blob;

import dev.holdfast.api.model.ChunkDigest;

/** A data key and what is derived from it. Safe for use by any thread. */
public final class CryptConfig {

    private CryptConfig() {}

    /** @param key the 32-byte data key; copied */
    public static CryptConfig of(byte[] key) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** SHA-256(data, id key): the digest of a chunk of an encrypted archive. */
    public ChunkDigest digest(byte[] data, int offset, int length) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** HMAC-SHA256 under the id key. */
    public byte[] authTag(byte[] message) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** 32 bytes in lower-case hex joined by colons. */
    public String fingerprint() {
        throw new UnsupportedOperationException("skeleton");
    }
}
