package dev.holdfast.api.config;

import java.util.Optional;

/**
 * Where a datastore keeps its chunks.
 *
 * @param type a local filesystem, or a bucket
 * @param client name of the S3 client to use; present for a bucket only
 * @param bucket name of the bucket; present for a bucket only
 */
public record BackendConfig(Type type, Optional<String> client, Optional<String> bucket) {

    /** Kinds of backends. */
    public enum Type {
        FILESYSTEM("filesystem"),
        S3("s3");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /**
         * Parses {@code filesystem} or {@code s3}.
         *
         * @throws IllegalArgumentException for anything else
         */
        public static Type parse(String text) {
            for (Type type : values()) {
                if (type.text.equals(text)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("backend type must be filesystem or s3, not '" + text + "'");
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public static final BackendConfig FILESYSTEM =
            new BackendConfig(Type.FILESYSTEM, Optional.empty(), Optional.empty());

    public BackendConfig {
        boolean bucketStore = type == Type.S3;
        if (client.isPresent() != bucketStore || bucket.isPresent() != bucketStore) {
            throw new IllegalArgumentException(
                    bucketStore
                            ? "a backend of type s3 needs a client and a bucket"
                            : "a backend of type filesystem has neither client nor bucket");
        }
    }
}
