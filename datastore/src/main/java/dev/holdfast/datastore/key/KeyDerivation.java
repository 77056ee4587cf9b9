package dev.holdfast.datastore.key;

import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.Pbkdf2;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.SCrypt;

/** How a key file gets from a passphrase to the key that protects its data key. A value; its text shows no salt. */
public sealed interface KeyDerivation {

    /** Bytes of salt in new key files. */
    int SALT_BYTES = 32;

    /** Nothing is derived: the data key lies in the file as it is. */
    record None() implements KeyDerivation {}

    /**
     * RFC 7914. Memory is about {@code 128 * n * r} bytes, work grows with {@code n * r * p}.
     *
     * @param n a power of two, at least 2
     * @param r block size, at least 1
     * @param p parallelisation, at least 1
     * @param salt not copied
     */
    record Scrypt(int n, int r, int p, byte[] salt) implements KeyDerivation {

        /** Largest memory in bytes that a derivation may take: the limit of Proxmox Backup Server, 1025 MiB. */
        public static final long MAX_MEMORY_BYTES = 1025L * 1024 * 1024;

        /** Largest {@code n * r * p}: 128 times that of a new key file, some half a minute. Our own bound. */
        public static final long MAX_WORK = 1L << 26;

        /** The parameters of new key files (n 65536, r 8, p 1: 64 MiB), with a new salt. */
        public static Scrypt standard() {
            return new Scrypt(65536, 8, 1, newSalt());
        }

        /** Memory that a derivation takes, in bytes, as OpenSSL counts it. */
        long memoryBytes() {
            return 128L * r * (n + 2L) + 128L * r * p;
        }

        void check(String name) throws FormatException {
            boolean positive = n >= 2 && r >= 1 && p >= 1 && Integer.bitCount(n) == 1;
            // Each factor is small enough that the products below do not overflow.
            boolean small = positive && r <= 1 << 20 && p <= 1 << 20 && (long) r * p < 1 << 30;
            if (!small
                    || (r < 4 && n >= 1L << 16 * r)
                    || memoryBytes() > MAX_MEMORY_BYTES
                    || (double) n * r * p > MAX_WORK) {
                throw new FormatException(
                        name,
                        name + " asks for scrypt with n " + n + ", r " + r + ", p " + p
                                + "; n must be a power of two, and" + " the three may not need more than 1025 MiB or "
                                + MAX_WORK + " rounds");
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Scrypt that
                    && n == that.n
                    && r == that.r
                    && p == that.p
                    && Arrays.equals(salt, that.salt);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * (31 * n + r) + p) + Arrays.hashCode(salt);
        }

        @Override
        public String toString() {
            return "scrypt(n " + n + ", r " + r + ", p " + p + ")";
        }
    }

    /**
     * PBKDF2-HMAC-SHA256.
     *
     * @param iterations at least 1
     * @param salt not copied
     */
    record Pbkdf2Sha256(int iterations, byte[] salt) implements KeyDerivation {

        /** Our own bound: some ten seconds. */
        public static final int MAX_ITERATIONS = 10_000_000;

        /** The parameters of new key files (65535 iterations, as PBS), with a new salt. */
        public static Pbkdf2Sha256 standard() {
            return new Pbkdf2Sha256(65535, newSalt());
        }

        void check(String name) throws FormatException {
            if (iterations < 1 || iterations > MAX_ITERATIONS) {
                throw new FormatException(
                        name,
                        name + " asks for " + iterations + " iterations of PBKDF2; valid are 1 to " + MAX_ITERATIONS);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Pbkdf2Sha256 that
                    && iterations == that.iterations
                    && Arrays.equals(salt, that.salt);
        }

        @Override
        public int hashCode() {
            return 31 * iterations + Arrays.hashCode(salt);
        }

        @Override
        public String toString() {
            return "PBKDF2(" + iterations + " iterations)";
        }
    }

    /** Random bytes for a new key file. */
    static byte[] newSalt() {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return salt;
    }

    /**
     * The 32 bytes that protect the data key; the parameters have been checked.
     *
     * @throws DatastoreException if this process has too little memory for it
     */
    static byte[] derive(KeyDerivation derivation, byte[] passphrase, String name) throws DatastoreException {
        if (derivation instanceof Scrypt scrypt) {
            Runtime runtime = Runtime.getRuntime();
            long free = runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
            if (scrypt.memoryBytes() > free) {
                throw new DatastoreException(
                        name + " needs " + (scrypt.memoryBytes() >> 20) + " MiB of memory to derive" + " its key, and "
                                + (free >> 20) + " MiB are left; give Java more with -Xmx");
            }
            return SCrypt.generate(
                    passphrase, scrypt.salt(), scrypt.n(), scrypt.r(), scrypt.p(), CryptConfig.KEY_BYTES);
        }
        if (derivation instanceof Pbkdf2Sha256 pbkdf2) {
            return Pbkdf2.derive(passphrase, pbkdf2.salt(), pbkdf2.iterations());
        }
        throw new IllegalArgumentException("an unprotected key derives nothing");
    }
}
