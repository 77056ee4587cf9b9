package dev.holdfast.datastore.blob;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.jspecify.annotations.Nullable;

/** Turns a {@link DataBlob} back into plain bytes. One thread at a time; keep one per worker. */
public final class BlobDecoder {

    private final @Nullable CryptConfig crypt;
    private final @Nullable AesGcm cipher;
    private final ZstdFrames zstd = new ZstdFrames();
    private final MessageDigest sha256 = CryptConfig.sha256();

    public BlobDecoder(@Nullable CryptConfig crypt) {
        this.crypt = crypt;
        this.cipher = crypt == null ? null : crypt.cipher();
    }

    /**
     * Decodes a blob file.
     *
     * @param limit largest number of plain bytes to accept; memory use is bounded by it
     * @throws FormatException if the content does not decode or exceeds the limit
     * @throws WrongKeyException if it is encrypted and there is no key, or the tag differs
     */
    public byte[] decode(DataBlob blob, String name, int limit) throws DatastoreException {
        byte[] encoded = blob.encoded();
        int offset = blob.payloadOffset();
        int length = encoded.length - offset;
        if (!blob.isCompressed() && length > limit) {
            throw new FormatException(name, name + " has " + length + " bytes, more than the " + limit + " allowed");
        }
        if (blob.isEncrypted()) {
            byte[] opened = open(encoded, name);
            return blob.isCompressed() ? zstd.decompress(opened, 0, opened.length, limit, name) : opened;
        }
        return blob.isCompressed()
                ? zstd.decompress(encoded, offset, length, limit, name)
                : Arrays.copyOfRange(encoded, offset, encoded.length);
    }

    private byte[] open(byte[] encoded, String name) throws WrongKeyException {
        if (cipher == null) {
            throw new WrongKeyException(name, name + " is encrypted and no key was given");
        }
        try {
            int sealed = DataBlob.PLAIN_HEADER_BYTES;
            return cipher.open(encoded, sealed, encoded.length - sealed);
        } catch (AEADBadTagException e) {
            throw new WrongKeyException(
                    name,
                    name + " does not open with " + crypt + ": it needs another key, or its IV or tag is damaged",
                    e);
        }
    }

    /**
     * Decodes a chunk and checks the digest (keyed if it is encrypted) and the length. Whether the chunk should be
     * encrypted is the index's business: callers compare {@link DataBlob#isEncrypted} with it.
     *
     * @param expectedLength plain length, or -1 if unknown
     * @throws ChunkCorruptException if anything is wrong with it, also if it does not open with this key: whoever has
     *     compared the key's fingerprint with the manifest's knows that the key is not to blame
     * @throws WrongKeyException if it is encrypted and there is no key
     */
    public byte[] decodeChunk(DataBlob blob, ChunkDigest digest, int expectedLength) throws DatastoreException {
        String name = "chunk " + digest;
        if (blob.isEncrypted() && cipher == null) {
            throw new WrongKeyException(name, name + " is encrypted and no key was given");
        }
        byte[] data;
        try {
            data = decode(blob, name, DataBlob.MAX_CHUNK_BYTES);
        } catch (FormatException | WrongKeyException e) {
            throw new ChunkCorruptException(digest, e.getMessage(), e);
        }
        ChunkDigest actual = digest(blob, data);
        if (!actual.equals(digest)) {
            throw new ChunkCorruptException(digest, name + " holds other data: its digest is " + actual);
        }
        if (expectedLength >= 0 && data.length != expectedLength) {
            throw new ChunkCorruptException(
                    digest, name + " has " + data.length + " bytes, the index says " + expectedLength);
        }
        return data;
    }

    private ChunkDigest digest(DataBlob blob, byte[] data) {
        if (blob.isEncrypted() && crypt != null) {
            return crypt.digest(sha256, data, 0, data.length);
        }
        return ChunkDigest.of(sha256.digest(data), 0);
    }
}
