package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.key.KeyDerivation;
import dev.holdfast.datastore.key.KeyFile;
import dev.holdfast.datastore.key.KeyFiles;
import dev.holdfast.engine.wiring.Engine;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes key files, shows them, and changes their passphrase. */
public final class KeyJobs {

    private final Engine engine;

    /** How a key file gets from a passphrase to what protects its key. */
    public enum Kdf {
        /** The key is in the clear; there is no passphrase. */
        NONE,
        SCRYPT,
        PBKDF2;

        /** @throws IllegalArgumentException if it is none of the names in lower case */
        public static Kdf parse(String name) {
            return switch (name) {
                case "none" -> NONE;
                case "scrypt" -> SCRYPT;
                case "pbkdf2" -> PBKDF2;
                default -> throw new IllegalArgumentException("--kdf is none, scrypt or pbkdf2, not '" + name + "'");
            };
        }

        private KeyDerivation derivation() {
            return switch (this) {
                case NONE -> new KeyDerivation.None();
                case SCRYPT -> KeyDerivation.Scrypt.standard();
                case PBKDF2 -> KeyDerivation.Pbkdf2Sha256.standard();
            };
        }
    }

    /**
     * A key file, without its key.
     *
     * @param kdf {@code none}, {@code scrypt} or {@code pbkdf2}
     * @param fingerprint null in files that do not name it
     */
    public record KeyFacts(
            String path,
            String kdf,
            String created,
            String modified,
            @Nullable String fingerprint,
            @Nullable String hint) {}

    public KeyJobs(Engine engine) {
        this.engine = engine;
    }

    /**
     * Makes a new key.
     *
     * @param passphrase protects it; asked unless {@code kdf} is none
     */
    public KeyFacts create(Path path, Kdf kdf, Supplier<char[]> passphrase, @Nullable String hint)
            throws DatastoreException {
        KeyFile key = KeyFile.create(engine.clock());
        if (kdf != Kdf.NONE) {
            key = key.protectedBy(kdf.derivation(), new char[0], passphrase.get(), hint, engine.clock());
        }
        files().writeNew(path.toAbsolutePath(), key);
        return facts(path, key);
    }

    public KeyFacts show(Path path) throws DatastoreException {
        return facts(path, files().read(path.toAbsolutePath()));
    }

    /**
     * Protects the same key by another passphrase, or by none.
     *
     * @param kdf of the new protection
     * @param old asked if the file is protected
     * @param passphrase the new one; asked unless {@code kdf} is none
     */
    public KeyFacts changePassphrase(
            Path path, Kdf kdf, Supplier<char[]> old, Supplier<char[]> passphrase, @Nullable String hint)
            throws DatastoreException {
        KeyFile key = files().read(path.toAbsolutePath());
        char[] before = key.isProtected() ? old.get() : new char[0];
        // A wrong passphrase is told before a new one is asked for.
        key.plainKey(before, "key file " + path);
        char[] after = kdf == Kdf.NONE ? new char[0] : passphrase.get();
        KeyFile changed = key.protectedBy(kdf.derivation(), before, after, hint, engine.clock());
        files().replace(path.toAbsolutePath(), changed);
        return facts(path, changed);
    }

    private KeyFiles files() {
        return new KeyFiles(engine.files());
    }

    private static KeyFacts facts(Path path, KeyFile key) {
        KeyDerivation derivation = key.derivation();
        String kdf = derivation instanceof KeyDerivation.Scrypt
                ? "scrypt"
                : derivation instanceof KeyDerivation.None ? "none" : "pbkdf2";
        return new KeyFacts(
                path.toString(),
                kdf,
                key.created().toString(),
                key.modified().toString(),
                key.fingerprint().orElse(null),
                key.hint().orElse(null));
    }
}
