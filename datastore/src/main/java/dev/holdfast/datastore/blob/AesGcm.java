package dev.holdfast.datastore.blob;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM in the arrangement of the blob container and of protected key files: IV (16 bytes), tag (16 bytes),
 * ciphertext. The IV has 16 bytes, not the usual 12, so that GCM hashes it to make its first counter block. One thread at
 * a time; buffers are kept between calls.
 */
public final class AesGcm {

    /** Length of the IV in bytes. */
    public static final int IV_BYTES = 16;

    /** Length of the tag in bytes. */
    public static final int TAG_BYTES = 16;

    /** How much longer sealed data is than plain data. */
    public static final int OVERHEAD_BYTES = IV_BYTES + TAG_BYTES;

    /** Length of a key in bytes. */
    public static final int KEY_BYTES = 32;

    private static final int KEEP_BUFFER_BYTES = DataBlob.MAX_ENCODED_CHUNK_BYTES;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();
    private final Cipher cipher;
    private byte[] scratch = new byte[0];

    /** @param key 32 bytes; copied */
    public AesGcm(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("an AES-256 key has 32 bytes, not " + key.length);
        }
        this.key = new SecretKeySpec(key, "AES");
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
    }

    /** A random IV. */
    public byte[] newIv() {
        byte[] iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        return iv;
    }

    /**
     * Encrypts.
     *
     * @param iv 16 bytes, never used before with this key
     * @param prefix bytes to leave free before the IV in the result
     */
    public byte[] seal(byte[] iv, int prefix, byte[] data, int offset, int length) {
        byte[] out = new byte[prefix + OVERHEAD_BYTES + length];
        int tagAt = prefix + IV_BYTES;
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BYTES * 8, iv));
            // Java puts the tag last. Written 16 bytes early, ciphertext and tag end where the result ends; then they
            // change places.
            cipher.doFinal(data, offset, length, out, tagAt);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM refused to encrypt", e);
        }
        byte[] tag = new byte[TAG_BYTES];
        System.arraycopy(out, tagAt + length, tag, 0, TAG_BYTES);
        System.arraycopy(out, tagAt, out, tagAt + TAG_BYTES, length);
        System.arraycopy(tag, 0, out, tagAt, TAG_BYTES);
        System.arraycopy(iv, 0, out, prefix, IV_BYTES);
        return out;
    }

    /**
     * Decrypts.
     *
     * @param sealed IV, tag and ciphertext from {@code offset} to {@code offset + length}; length is at least 32
     * @throws AEADBadTagException if the key is another one or any of the bytes has changed
     */
    public byte[] open(byte[] sealed, int offset, int length) throws AEADBadTagException {
        int cipherBytes = length - OVERHEAD_BYTES;
        int withTag = cipherBytes + TAG_BYTES;
        byte[] buffer = scratch.length >= withTag ? scratch : new byte[withTag];
        System.arraycopy(sealed, offset + OVERHEAD_BYTES, buffer, 0, cipherBytes);
        System.arraycopy(sealed, offset + IV_BYTES, buffer, cipherBytes, TAG_BYTES);
        if (withTag <= KEEP_BUFFER_BYTES) {
            scratch = buffer;
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BYTES * 8, sealed, offset, IV_BYTES));
            return cipher.doFinal(buffer, 0, withTag);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM refused to decrypt", e);
        }
    }
}
