package dev.holdfast.datastore.blob;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2-HMAC-SHA256 over raw bytes, one block (32 bytes) of output. The platform's own takes passwords as characters and
 * encodes them, which loses keys that are no text.
 */
public final class Pbkdf2 {

    /** Length of the output in bytes. */
    public static final int OUTPUT_BYTES = 32;

    private Pbkdf2() {}

    /**
     * @param password at least one byte
     * @param iterations at least 1
     */
    public static byte[] derive(byte[] password, byte[] salt, int iterations) {
        if (iterations < 1) {
            throw new IllegalArgumentException("PBKDF2 needs at least one iteration, not " + iterations);
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(password, "HmacSHA256"));
            mac.update(salt);
            mac.update(new byte[] {0, 0, 0, 1});
            byte[] round = mac.doFinal();
            byte[] sum = round.clone();
            for (int i = 1; i < iterations; i++) {
                mac.update(round);
                mac.doFinal(round, 0);
                for (int b = 0; b < OUTPUT_BYTES; b++) {
                    sum[b] ^= round[b];
                }
            }
            return sum;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HMAC-SHA256", e);
        }
    }
}
