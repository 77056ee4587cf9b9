package dev.holdfast.api.config;

import dev.holdfast.api.schema.ByteSize;
import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.ChoiceOption;
import dev.holdfast.api.schema.OptionSchema.SizeOption;
import dev.holdfast.api.schema.OptionSchema.Text;
import dev.holdfast.api.schema.OptionSchema.TextOption;
import dev.holdfast.api.schema.PropertyString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Where a datastore keeps its chunks.
 *
 * @param type a local filesystem, or a bucket
 * @param client name of the S3 client to use; present for a bucket only
 * @param bucket name of the bucket; present for a bucket only
 * @param maxCacheSize most bytes of the local cache of chunks; for a bucket only, empty for the free space of the disk
 */
public record BackendConfig(Type type, Optional<String> client, Optional<String> bucket, OptionalLong maxCacheSize) {

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
            String checked = TYPE.check(text);
            return checked.equals(S3.text) ? S3 : FILESYSTEM;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final ChoiceOption TYPE = new ChoiceOption(
            "type",
            List.of("filesystem", "s3"),
            Optional.of("filesystem"),
            new Text(
                    "",
                    "Where the chunks are: in the store's own directory, or in a bucket of an object store, with the"
                            + " store's directory as a cache."));
    private static final TextOption CLIENT = new TextOption(
            "client",
            "a name of 1 to 64 letters, digits, '_', '.' or '-', and begin with none of the last two",
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._\\-]{0,63}"),
            new Text("", "Which entry of s3-clients reaches the bucket. For type s3 only, and required there."));
    private static final TextOption BUCKET = new TextOption(
            "bucket",
            "a bucket name: 3 to 63 lower-case letters, digits, '.' or '-', with a letter or digit at both ends",
            Pattern.compile("[a-z0-9][a-z0-9.\\-]{1,61}[a-z0-9]"),
            new Text("", "The bucket. For type s3 only, and required there. The bounds are those of S3."));
    private static final SizeOption MAX_CACHE_SIZE = new SizeOption(
            "max-cache-size",
            1,
            1L << 50,
            new Text(
                    "bytes",
                    "Most space that cached chunks may use on the local disk; unset: all that is free. For type s3 only."
                            + " Counted in chunks of 16 MiB, and at least one is kept however small the size; the upper"
                            + " bound only catches a wrong unit."));

    private static final List<OptionSchema> OPTIONS = List.of(TYPE, CLIENT, BUCKET, MAX_CACHE_SIZE);

    public static final BackendConfig FILESYSTEM =
            new BackendConfig(Type.FILESYSTEM, Optional.empty(), Optional.empty(), OptionalLong.empty());

    public BackendConfig {
        boolean bucketStore = type == Type.S3;
        if (client.isPresent() != bucketStore || bucket.isPresent() != bucketStore) {
            throw new IllegalArgumentException(
                    bucketStore
                            ? "a backend of type s3 needs a client and a bucket"
                            : "a backend of type filesystem has neither client nor bucket");
        }
        if (maxCacheSize.isPresent() && !bucketStore) {
            throw new IllegalArgumentException("a backend of type filesystem has no max-cache-size");
        }
    }

    /** The schemas of the members of {@code backend}, in the order in which they are shown. */
    public static List<OptionSchema> options() {
        return OPTIONS;
    }

    /**
     * Takes the members of {@code backend} as a configuration file has them; a member that is null is not set.
     *
     * @throws IllegalArgumentException for a member out of its bounds, or one that the type needs or does not have
     */
    public static BackendConfig of(Map<String, ?> members) {
        Optional<String> size = checked(MAX_CACHE_SIZE, members);
        return new BackendConfig(
                Type.parse(checked(TYPE, members).orElse("filesystem")),
                checked(CLIENT, members),
                checked(BUCKET, members),
                size.isPresent() ? OptionalLong.of(ByteSize.parse(size.get())) : OptionalLong.empty());
    }

    private static Optional<String> checked(OptionSchema option, Map<String, ?> members) {
        Object value = members.get(option.name());
        return value == null ? Optional.empty() : Optional.of(option.check(value.toString()));
    }

    /** Parses a property string such as {@code s3,client=c1,bucket=backups}; {@code type} is the default key. */
    public static BackendConfig parse(String propertyString) {
        return of(PropertyString.parse(propertyString, TYPE.name()));
    }

    /** What is set, in the order of {@link #options()}; {@link #of} gives the same value back. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put(TYPE.name(), type.toString());
        client.ifPresent(name -> map.put(CLIENT.name(), name));
        bucket.ifPresent(name -> map.put(BUCKET.name(), name));
        maxCacheSize.ifPresent(bytes -> map.put(MAX_CACHE_SIZE.name(), ByteSize.format(bytes)));
        return map;
    }
}
