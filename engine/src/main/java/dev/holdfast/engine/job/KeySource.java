package dev.holdfast.engine.job;

import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.key.KeyFile;
import dev.holdfast.datastore.key.KeyFiles;
import dev.holdfast.engine.wiring.Engine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a backup or restore comes from.
 *
 * @param file key file; null for none
 * @param mode how content is protected; null for {@code encrypt} with a key and {@code none} without
 * @param passphrase asked only if the key file has one
 */
public record KeySource(@Nullable Path file, @Nullable CryptMode mode, Supplier<char[]> passphrase) {

    /** Nothing is encrypted or signed. */
    public static final KeySource NONE = new KeySource(null, null, () -> new char[0]);

    /**
     * A key that is ready for use.
     *
     * @param mode how content is protected
     * @param key the key; null for none
     */
    record Key(CryptMode mode, @Nullable CryptConfig key) {

        /** What encrypts chunks and blobs. */
        @Nullable
        CryptConfig contentKey() {
            return mode == CryptMode.ENCRYPT ? key : null;
        }

        /** What signs the manifest. */
        @Nullable
        CryptConfig signingKey() {
            return mode == CryptMode.NONE ? null : key;
        }
    }

    Key load(Engine engine) throws DatastoreException {
        Path from = file;
        if (from == null) {
            if (mode != null && mode != CryptMode.NONE) {
                throw new IllegalArgumentException("--crypt-mode " + mode + " needs a --keyfile");
            }
            return new Key(CryptMode.NONE, null);
        }
        KeyFile keyFile = new KeyFiles(engine.files()).read(from.toAbsolutePath());
        char[] secret = keyFile.isProtected() ? passphrase.get() : new char[0];
        CryptConfig key = keyFile.plainKey(secret, "key file " + from);
        Arrays.fill(secret, '\0');
        return new Key(mode == null ? CryptMode.ENCRYPT : mode, key);
    }
}
