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
     * @param passphrase protects it; null for a key in the clear
     */
    public KeyFacts create(Path path, @Nullable Supplier<char[]> passphrase, @Nullable String hint)
            throws DatastoreException {
        KeyFile key = KeyFile.create(engine.clock());
        if (passphrase != null) {
            key = key.protectedBy(new char[0], passphrase.get(), hint, engine.clock());
        }
        files().writeNew(path.toAbsolutePath(), key);
        return facts(path, key);
    }

    public KeyFacts show(Path path) throws DatastoreException {
        return facts(path, files().read(path.toAbsolutePath()));
    }

    /** Protects the same key by another passphrase. */
    public KeyFacts changePassphrase(
            Path path, Supplier<char[]> old, Supplier<char[]> passphrase, @Nullable String hint)
            throws DatastoreException {
        KeyFile key = files().read(path.toAbsolutePath());
        char[] before = key.isProtected() ? old.get() : new char[0];
        key.plainKey(before, "key file " + path);
        KeyFile changed = key.protectedBy(before, passphrase.get(), hint, engine.clock());
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
