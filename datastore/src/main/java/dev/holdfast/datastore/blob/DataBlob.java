package dev.holdfast.datastore.blob;

import dev.holdfast.datastore.error.FormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * Encoded bytes with magic and checksum, as they lie in a chunk or blob file. Immutable: the array is not copied, and
 * nobody changes it.
 *
 * <p>Layout: magic (8 bytes), CRC-32 little endian (4), for the encrypted variants IV (16) and GCM tag (16), then the
 * payload up to the end of the file. The CRC covers the payload alone: magic, IV and tag are outside it.
 */
public final class DataBlob {

    /** Largest payload before encoding: 128 MiB (the format's own limit). */
    public static final int MAX_DATA_BYTES = 128 * 1024 * 1024;

    /** Largest decoded chunk: 16 MiB (the limit of the upload interface). */
    public static final int MAX_CHUNK_BYTES = 16 * 1024 * 1024;

    /** Header of the plain variants: magic and CRC. */
    public static final int PLAIN_HEADER_BYTES = 12;

    /** Header of the encrypted variants: magic, CRC, IV and tag. */
    public static final int ENCRYPTED_HEADER_BYTES = 44;

    /** Largest encoded chunk file. */
    public static final int MAX_ENCODED_CHUNK_BYTES = MAX_CHUNK_BYTES + ENCRYPTED_HEADER_BYTES;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] encoded;
    private final BlobMagic magic;

    private DataBlob(byte[] encoded, BlobMagic magic) {
        this.encoded = encoded;
        this.magic = magic;
    }

    /**
     * Takes encoded bytes after checking magic, minimum length and CRC.
     *
     * @param name names the source in errors
     * @throws FormatException if one of them is wrong
     */
    public static DataBlob parse(byte[] encoded, String name) throws FormatException {
        if (encoded.length < PLAIN_HEADER_BYTES) {
            throw new FormatException(
                    name, name + " is too small for a blob: " + encoded.length + " bytes, at least 12 are needed");
        }
        BlobMagic magic = BlobMagic.of(encoded);
        if (magic == null) {
            throw new FormatException(name, name + " is no blob: its first 8 bytes are none of the four known magics");
        }
        if (encoded.length < magic.headerBytes()) {
            throw new FormatException(
                    name,
                    name + " is too small for an encrypted blob: " + encoded.length + " bytes, at least 44 are needed");
        }
        if (encoded.length - magic.headerBytes() > MAX_DATA_BYTES) {
            throw new FormatException(
                    name,
                    name + " is too large for a blob: " + encoded.length + " bytes, the payload may have 128 MiB");
        }
        int stored = (int) INT.get(encoded, BlobMagic.BYTES);
        int actual = crc(encoded, magic.headerBytes());
        if (stored != actual) {
            throw new FormatException(
                    name, name + " is damaged: its checksum is " + hex(stored) + ", its content has " + hex(actual));
        }
        return new DataBlob(encoded, magic);
    }

    /** Completes an array whose IV, tag and payload are in place: writes magic and CRC. */
    static DataBlob complete(byte[] encoded, BlobMagic magic) {
        magic.writeTo(encoded);
        INT.set(encoded, BlobMagic.BYTES, crc(encoded, magic.headerBytes()));
        return new DataBlob(encoded, magic);
    }

    private static int crc(byte[] encoded, int from) {
        CRC32 crc = new CRC32();
        crc.update(encoded, from, encoded.length - from);
        return (int) crc.getValue();
    }

    private static String hex(int crc) {
        return String.format("%08x", crc);
    }

    public boolean isEncrypted() {
        return magic.encrypted;
    }

    public boolean isCompressed() {
        return magic.compressed;
    }

    /** The encoded bytes, header included; do not modify. */
    public byte[] encoded() {
        return encoded;
    }

    /** Length of the encoded bytes. */
    public int size() {
        return encoded.length;
    }

    /** Where the payload begins in {@link #encoded}. */
    int payloadOffset() {
        return magic.headerBytes();
    }
}
