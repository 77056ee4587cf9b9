package dev.holdfast.datastore.blob;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The four variants of the container. A magic is the first 8 bytes of the SHA-256 of a sentence (written beside each), and
 * carries everything that a reader needs to know about the variant.
 */
public enum BlobMagic {
    /** {@code Proxmox Backup uncompressed blob v1.0}. */
    PLAIN(0x42ab3807be8370a1L, false, false),
    /** {@code Proxmox Backup zstd compressed blob v1.0}. */
    COMPRESSED(0x31b958426fb6a37fL, false, true),
    /** {@code Proxmox Backup encrypted blob v1.0}. */
    ENCRYPTED(0x7b6785be222d4cf0L, true, false),
    /** {@code Proxmox Backup zstd compressed encrypted blob v1.0}: compressed first, then encrypted. */
    ENCRYPTED_COMPRESSED(0xe6591bbf0bbfd80bL, true, true);

    /** Length of a magic. */
    public static final int BYTES = 8;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long value;
    final boolean encrypted;
    final boolean compressed;

    BlobMagic(long value, boolean encrypted, boolean compressed) {
        this.value = value;
        this.encrypted = encrypted;
        this.compressed = compressed;
    }

    /** The variant that the first 8 bytes name, or null; the array has at least 8. */
    public static @Nullable BlobMagic of(byte[] encoded) {
        long magic = (long) LONG.get(encoded, 0);
        for (BlobMagic candidate : values()) {
            if (candidate.value == magic) {
                return candidate;
            }
        }
        return null;
    }

    static BlobMagic of(boolean encrypted, boolean compressed) {
        if (encrypted) {
            return compressed ? ENCRYPTED_COMPRESSED : ENCRYPTED;
        }
        return compressed ? COMPRESSED : PLAIN;
    }

    /** Whether the payload is encrypted (compressed before that or not). */
    public boolean isEncrypted() {
        return encrypted;
    }

    /** Whether the payload is, or was before its encryption, a zstd frame. */
    public boolean isCompressed() {
        return compressed;
    }

    void writeTo(byte[] target) {
        LONG.set(target, 0, value);
    }

    /** Where the checksummed payload begins. */
    int headerBytes() {
        return encrypted ? DataBlob.ENCRYPTED_HEADER_BYTES : DataBlob.PLAIN_HEADER_BYTES;
    }
}
