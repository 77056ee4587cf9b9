package dev.holdfast.datastore.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.holdfast.datastore.error.FormatException;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * Decompresses zstd frames of untrusted origin, one or several in a row, with or without a content size. Memory never
 * exceeds the caller's limit, whatever a frame claims. One thread at a time.
 */
final class ZstdFrames {

    /** Output of one zstd block at most; a block takes at least 4 bytes of input to give any. */
    private static final int MAX_BLOCK_BYTES = 128 * 1024;

    private static final int MIN_BLOCK_INPUT = 4;

    private static final int FIRST_GUESS_BYTES = 64 * 1024;

    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private byte[] scratch = new byte[0];

    ZstdFrames() {
        ZstdContexts.freeWith(this, zstd::close);
    }

    /** @return exactly the plain bytes, at most {@code limit} of them */
    byte[] decompress(byte[] frames, int offset, int length, int limit, String name) throws FormatException {
        if (length == 0) {
            throw new FormatException(name, name + " is damaged: it should be compressed, but holds no zstd frame");
        }
        // What these bytes can give at most, so that a short input never costs a large buffer.
        int bound = (int) Math.min(limit, (length / MIN_BLOCK_INPUT + 1L) * MAX_BLOCK_BYTES);
        long declared = Zstd.getFrameContentSize(frames, offset, length);
        if (declared > limit) {
            throw tooLarge(name, limit);
        }
        int capacity = declared > 0 ? (int) Math.min(declared, bound) : Math.min(bound, FIRST_GUESS_BYTES);
        while (true) {
            if (scratch.length < capacity) {
                scratch = new byte[capacity];
            }
            int room = Math.min(scratch.length, limit);
            try {
                int plain = zstd.decompressByteArray(scratch, 0, room, frames, offset, length);
                return take(plain);
            } catch (ZstdException e) {
                if (e.getErrorCode() != Zstd.errDstSizeTooSmall()) {
                    throw new FormatException(
                            name, name + " is damaged: its zstd frame does not decompress: " + e.getMessage(), e);
                }
                if (room >= bound) {
                    throw tooLarge(name, limit);
                }
                capacity = (int) Math.min(bound, room * 2L);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }

    private byte[] take(int plain) {
        byte[] result = Arrays.copyOf(scratch, plain);
        if (scratch.length > DataBlob.MAX_CHUNK_BYTES) {
            scratch = new byte[0];
        }
        return result;
    }

    private static FormatException tooLarge(String name, int limit) {
        return new FormatException(name, name + " decompresses to more than the " + limit + " bytes that are allowed");
    }
}
