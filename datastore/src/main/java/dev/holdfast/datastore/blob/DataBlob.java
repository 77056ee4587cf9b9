package dev.holdfast.datastore.blob;

/**
 * Encoded bytes with magic and checksum, as they lie in a chunk or blob file. Immutable: the array is not copied, and
 * nobody changes it.
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

    private DataBlob() {}

    /**
     * Takes encoded bytes after checking magic, minimum length and CRC.
     *
     * @param name names the source in errors
     * @throws dev.holdfast.datastore.error.FormatException if one of them is wrong
     */
    public static DataBlob parse(byte[] encoded, String name) throws dev.holdfast.datastore.error.FormatException {
        throw new UnsupportedOperationException("skeleton");
    }

    public boolean isEncrypted() {
        throw new UnsupportedOperationException("skeleton");
    }

    public boolean isCompressed() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The encoded bytes, header included; do not modify. */
    public byte[] encoded() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Length of the encoded bytes. */
    public int size() {
        throw new UnsupportedOperationException("skeleton");
    }
}
