package dev.holdfast.datastore.blob;

import dev.holdfast.api.model.ChunkDigest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A data key and what is derived from it: the id key for digests and signatures, and the fingerprint. Its text form shows
 * the short fingerprint alone. Safe for use by any thread.
 */
public final class CryptConfig {

    /** Length of the data key in bytes. */
    public static final int KEY_BYTES = AesGcm.KEY_BYTES;

    private static final int ID_KEY_ITERATIONS = 10;
    private static final byte[] ID_KEY_SALT = "_id_key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FINGERPRINT_TEXT =
            "Proxmox Backup Encryption Key Fingerprint".getBytes(StandardCharsets.US_ASCII);

    private static final HexFormat COLON_HEX = HexFormat.ofDelimiter(":");

    private final byte[] key;
    private final byte[] idKey;
    private final String fingerprint;

    private CryptConfig(byte[] key) {
        this.key = key;
        this.idKey = Pbkdf2.derive(key, ID_KEY_SALT, ID_KEY_ITERATIONS);
        byte[] input = sha256().digest(FINGERPRINT_TEXT);
        this.fingerprint = COLON_HEX.formatHex(digest(input, 0, input.length).bytes());
    }

    /**
     * @param key the 32-byte data key; copied
     * @throws IllegalArgumentException if the length is not 32
     */
    public static CryptConfig of(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a data key has 32 bytes, not " + key.length);
        }
        return new CryptConfig(key.clone());
    }

    /** SHA-256(data, id key): the digest of a chunk of an encrypted archive. */
    public ChunkDigest digest(byte[] data, int offset, int length) {
        return digest(sha256(), data, offset, length);
    }

    ChunkDigest digest(MessageDigest sha256, byte[] data, int offset, int length) {
        sha256.update(data, offset, length);
        sha256.update(idKey);
        return ChunkDigest.of(sha256.digest(), 0);
    }

    /** HMAC-SHA256 under the id key. */
    public byte[] authTag(byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(idKey, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HMAC-SHA256", e);
        }
    }

    /** 32 bytes in lower-case hex joined by colons. */
    public String fingerprint() {
        return fingerprint;
    }

    /** The first 8 bytes of the fingerprint, for messages. */
    public String shortFingerprint() {
        return fingerprint.substring(0, 23);
    }

    /** Whether a fingerprint as a file writes it, in either case and with or without colons, is this key's. */
    public boolean hasFingerprint(String text) {
        return fingerprint.replace(":", "").equalsIgnoreCase(text.replace(":", ""));
    }

    AesGcm cipher() {
        return new AesGcm(key);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "key " + shortFingerprint();
    }
}
