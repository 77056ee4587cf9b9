package dev.holdfast.datastore.key;

import dev.holdfast.datastore.blob.AesGcm;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import org.jspecify.annotations.Nullable;

/**
 * A data key as a key file holds it: in the clear, or sealed under a key that is derived from a passphrase. A value, safe
 * for use by any thread; its text form shows no key.
 */
public final class KeyFile {

    /** Shortest passphrase, in bytes of UTF-8. */
    public static final int MIN_PASSPHRASE_BYTES = 5;

    /** Longest hint, in characters. */
    public static final int MAX_HINT_CHARACTERS = 64;

    private final KeyDerivation derivation;
    private final Times times;
    private final byte[] data;
    private final @Nullable String fingerprint;
    private final @Nullable String hint;

    /**
     * When the key was made, and when its protection last changed.
     *
     * @param created to the second
     * @param modified to the second
     */
    public record Times(OffsetDateTime created, OffsetDateTime modified) {

        static Times now(Clock clock) {
            OffsetDateTime now = OffsetDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS);
            return new Times(now, now);
        }
    }

    KeyFile(KeyDerivation derivation, Times times, byte[] data, @Nullable String fingerprint, @Nullable String hint) {
        this.derivation = derivation;
        this.times = times;
        this.data = data;
        this.fingerprint = fingerprint;
        this.hint = hint;
    }

    /** A new random data key in the clear; see {@link #protectedBy}. */
    public static KeyFile create(Clock clock) {
        byte[] key = new byte[CryptConfig.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return of(key, clock);
    }

    /** A given data key of 32 bytes in the clear; copied. */
    public static KeyFile of(byte[] key, Clock clock) {
        String fingerprint = CryptConfig.of(key).fingerprint();
        return new KeyFile(new KeyDerivation.None(), Times.now(clock), key.clone(), fingerprint, null);
    }

    /** @throws FormatException if it is no key file, or asks for a derivation beyond the bounds */
    public static KeyFile parse(byte[] json, String name) throws DatastoreException {
        return KeyFileJson.parse(json, name);
    }

    /** Compact JSON, as Proxmox Backup Server's client writes it. Holds the key itself if it is not protected. */
    public byte[] toJson() {
        return KeyFileJson.write(this);
    }

    /**
     * The same data key under a passphrase, by scrypt with the standard parameters and a new salt.
     *
     * @param old passphrase of this file, ignored if it is not protected
     * @param passphrase the new one, at least 5 bytes of UTF-8
     * @param newHint 1 to 64 characters in one line, or null
     * @throws IllegalArgumentException if passphrase or hint break these bounds
     */
    public KeyFile protectedBy(char[] old, char[] passphrase, @Nullable String newHint, Clock clock)
            throws DatastoreException {
        return protectedBy(KeyDerivation.Scrypt.standard(), old, passphrase, newHint, clock);
    }

    /**
     * As {@link #protectedBy(char[], char[], String, Clock)}, by another derivation.
     *
     * @param how with a new salt; {@link KeyDerivation.None} leaves the key in the clear, without hint, and ignores the new
     *     passphrase
     */
    public KeyFile protectedBy(KeyDerivation how, char[] old, char[] passphrase, @Nullable String newHint, Clock clock)
            throws DatastoreException {
        if (how instanceof KeyDerivation.None) {
            if (newHint != null) {
                throw new IllegalArgumentException("a key without passphrase has no hint");
            }
            byte[] plain = key(old, "the key file");
            String print = CryptConfig.of(plain).fingerprint();
            return new KeyFile(how, new Times(times.created, Times.now(clock).modified), plain, print, null);
        }
        if (newHint != null && !isHint(newHint)) {
            throw new IllegalArgumentException("a hint has 1 to " + MAX_HINT_CHARACTERS + " characters in one line");
        }
        byte[] secret = utf8(passphrase);
        if (secret.length < MIN_PASSPHRASE_BYTES) {
            throw new IllegalArgumentException("a passphrase has at least " + MIN_PASSPHRASE_BYTES + " bytes");
        }
        byte[] key = key(old, "the key file");
        AesGcm cipher = new AesGcm(KeyDerivation.derive(how, secret, "the new key file"));
        byte[] sealed = cipher.seal(cipher.newIv(), 0, key, 0, key.length);
        Times changed = new Times(times.created, Times.now(clock).modified);
        String print = CryptConfig.of(key).fingerprint();
        Arrays.fill(secret, (byte) 0);
        Arrays.fill(key, (byte) 0);
        return new KeyFile(how, changed, sealed, print, newHint);
    }

    /**
     * The data key.
     *
     * @param passphrase ignored if the file is not protected
     * @param name names the file in errors
     * @throws WrongKeyException if it is not the passphrase (the message carries the hint), or the key does not have the
     *     fingerprint that the file names
     */
    public CryptConfig plainKey(char[] passphrase, String name) throws DatastoreException {
        byte[] key = key(passphrase, name);
        CryptConfig crypt = CryptConfig.of(key);
        Arrays.fill(key, (byte) 0);
        return crypt;
    }

    private byte[] key(char[] passphrase, String name) throws DatastoreException {
        byte[] key = isProtected() ? unseal(passphrase, name) : data.clone();
        if (fingerprint != null && !CryptConfig.of(key).hasFingerprint(fingerprint)) {
            throw new WrongKeyException(
                    name, name + " is damaged: its key does not have the fingerprint that it names");
        }
        return key;
    }

    private byte[] unseal(char[] passphrase, String name) throws DatastoreException {
        byte[] secret = utf8(passphrase);
        if (secret.length < MIN_PASSPHRASE_BYTES) {
            throw new WrongKeyException(
                    name, "the passphrase for " + name + " is too short: at least 5 bytes are needed" + hintText());
        }
        byte[] derived = KeyDerivation.derive(derivation, secret, name);
        Arrays.fill(secret, (byte) 0);
        try {
            return new AesGcm(derived).open(data, 0, data.length);
        } catch (AEADBadTagException e) {
            throw new WrongKeyException(name, "wrong passphrase for " + name + hintText(), e);
        } finally {
            Arrays.fill(derived, (byte) 0);
        }
    }

    private String hintText() {
        return hint == null ? "" : "; hint: " + hint;
    }

    /** By hand and not through a String, which could not be wiped. */
    private static byte[] utf8(char[] text) {
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        Arrays.fill(encoded.array(), (byte) 0);
        return bytes;
    }

    static boolean isHint(String text) {
        return !text.isEmpty()
                && text.codePointCount(0, text.length()) <= MAX_HINT_CHARACTERS
                && text.chars().noneMatch(Character::isISOControl);
    }

    /** Whether a passphrase is needed. */
    public boolean isProtected() {
        return !(derivation instanceof KeyDerivation.None);
    }

    public KeyDerivation derivation() {
        return derivation;
    }

    public OffsetDateTime created() {
        return times.created;
    }

    /** When passphrase or hint last changed. */
    public OffsetDateTime modified() {
        return times.modified;
    }

    /** The fingerprint that the file names; old files name none. */
    public Optional<String> fingerprint() {
        return Optional.ofNullable(fingerprint);
    }

    public Optional<String> hint() {
        return Optional.ofNullable(hint);
    }

    byte[] data() {
        return data;
    }

    @Override
    public String toString() {
        return "key file (" + (isProtected() ? derivation.toString() : "not protected") + ", fingerprint "
                + (fingerprint == null ? "not recorded" : fingerprint) + ")";
    }
}
