package dev.holdfast.datastore.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.holdfast.api.model.ChunkDigest;
import java.lang.ref.Reference;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns plain bytes into a {@link DataBlob}. One thread at a time; keep one per worker, it reuses its buffers. */
public final class BlobEncoder {

    /** The level that Proxmox Backup Server writes. */
    private static final int ZSTD_LEVEL = 1;

    private final @Nullable ZstdCompressCtx zstd;
    private final @Nullable CryptConfig crypt;
    private final @Nullable AesGcm cipher;
    private final MessageDigest sha256 = CryptConfig.sha256();
    private byte[] scratch = new byte[0];

    /** @param compress whether to try zstd (level 1); it is used only where it does not grow the data */
    public BlobEncoder(boolean compress, @Nullable CryptConfig crypt) {
        this.crypt = crypt;
        this.cipher = crypt == null ? null : crypt.cipher();
        if (compress) {
            ZstdCompressCtx context = new ZstdCompressCtx();
            context.setLevel(ZSTD_LEVEL);
            context.setContentSize(true);
            context.setChecksum(false);
            ZstdContexts.freeWith(this, context::close);
            this.zstd = context;
        } else {
            this.zstd = null;
        }
    }

    /** @throws IllegalArgumentException above {@link DataBlob#MAX_DATA_BYTES} */
    public DataBlob encode(byte[] data, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, data.length);
        if (length > DataBlob.MAX_DATA_BYTES) {
            throw new IllegalArgumentException("a blob holds at most 128 MiB, not " + length + " bytes");
        }
        int compressed = compress(data, offset, length);
        DataBlob blob = compressed < 0 ? wrap(data, offset, length, false) : wrap(scratch, 0, compressed, true);
        if (scratch.length > 2 * DataBlob.MAX_CHUNK_BYTES) {
            scratch = new byte[0];
        }
        return blob;
    }

    /** Compresses into the scratch buffer. @return the length there, or -1 if compression is off or would not help */
    private int compress(byte[] data, int offset, int length) {
        // A frame has at least 9 bytes or so: never shorter than an empty payload.
        if (zstd == null || length == 0) {
            return -1;
        }
        int bound = Math.toIntExact(Zstd.compressBound(length));
        if (scratch.length < bound) {
            scratch = new byte[bound];
        }
        int compressed;
        try {
            compressed = zstd.compressByteArray(scratch, 0, scratch.length, data, offset, length);
        } finally {
            Reference.reachabilityFence(this);
        }
        return compressed <= length ? compressed : -1;
    }

    private DataBlob wrap(byte[] payload, int offset, int length, boolean compressed) {
        BlobMagic magic = BlobMagic.of(cipher != null, compressed);
        if (cipher != null) {
            byte[] encoded = cipher.seal(cipher.newIv(), DataBlob.PLAIN_HEADER_BYTES, payload, offset, length);
            return DataBlob.complete(encoded, magic);
        }
        byte[] encoded = new byte[DataBlob.PLAIN_HEADER_BYTES + length];
        System.arraycopy(payload, offset, encoded, DataBlob.PLAIN_HEADER_BYTES, length);
        return DataBlob.complete(encoded, magic);
    }

    /** The digest of a chunk with these plain bytes: keyed if there is a key. */
    public ChunkDigest digest(byte[] data, int offset, int length) {
        if (crypt != null) {
            return crypt.digest(sha256, data, offset, length);
        }
        sha256.update(data, offset, length);
        return ChunkDigest.of(sha256.digest(), 0);
    }
}
