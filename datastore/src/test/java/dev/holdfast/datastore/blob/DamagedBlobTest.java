package dev.holdfast.datastore.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Twins of the golden blobs, each with one thing wrong: a typed error, never other data, never a huge allocation. */
class DamagedBlobTest {

    private static final int LIMIT = DataBlob.MAX_CHUNK_BYTES;

    private final BlobDecoder decoder = new BlobDecoder(Vectors.KEY);

    static List<JsonNode> blobs() {
        return Vectors.files("blob");
    }

    private byte[] decode(byte[] encoded) throws DatastoreException {
        return decoder.decode(DataBlob.parse(encoded, "b"), "b", LIMIT);
    }

    @ParameterizedTest
    @MethodSource("blobs")
    void cutBlob_isRefusedAtEveryLength(JsonNode expected) {
        byte[] whole = Vectors.bytes(expected.get("file").asString());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> DataBlob.parse(cut, "b"))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(FormatException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("blobs")
    void grownBlob_isRefused(JsonNode expected) {
        byte[] whole = Vectors.bytes(expected.get("file").asString());
        byte[] grown = Arrays.copyOf(whole, whole.length + 1);
        grown[whole.length] = 1;
        assertThatThrownBy(() -> DataBlob.parse(grown, "b")).isInstanceOf(FormatException.class);
    }

    /**
     * The magics differ from each other in many bits, the CRC covers the payload, and the tag covers IV, tag and
     * ciphertext: no single bit may pass.
     */
    @ParameterizedTest
    @MethodSource("blobs")
    void everyFlippedBit_isFound(JsonNode expected) {
        byte[] whole = Vectors.bytes(expected.get("file").asString());
        ChunkDigest digest = ChunkDigest.parse(expected.get("chunk_digest").asString());
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> decode(flipped))
                    .as("bit %d", bit)
                    .isInstanceOfAny(FormatException.class, WrongKeyException.class);
            if (bit / 8 >= 12 && bit / 8 < 44 && expected.get("encrypted").asBoolean()) {
                assertThatThrownBy(() -> decoder.decodeChunk(DataBlob.parse(flipped, "b"), digest, -1))
                        .as("bit %d of IV or tag", bit)
                        .isInstanceOf(ChunkCorruptException.class);
            }
        }
    }

    /** Outside the CRC, the magic says how to read the payload: the digest (or the manifest's checksum) finds this. */
    @Test
    void exchangedMagic_isFoundByTheDigest() throws DatastoreException {
        byte[] compressed = Vectors.bytes("blob-zstd.bin");
        System.arraycopy(Vectors.bytes("blob-plain-hello.bin"), 0, compressed, 0, 8);
        ChunkDigest digest = ChunkDigest.parse(Vectors.files("blob").stream()
                .filter(f -> f.get("file").asString().equals("blob-zstd.bin"))
                .findFirst()
                .orElseThrow()
                .get("chunk_digest")
                .asString());
        DataBlob blob = DataBlob.parse(compressed, "b");
        assertThat(blob.isCompressed()).isFalse();
        assertThatThrownBy(() -> decoder.decodeChunk(blob, digest, 400)).isInstanceOf(ChunkCorruptException.class);
        byte[] hello = Vectors.bytes("blob-plain-hello.bin");
        System.arraycopy(Vectors.bytes("blob-zstd.bin"), 0, hello, 0, 8);
        assertThatThrownBy(() -> decode(hello)).isInstanceOf(FormatException.class);
    }

    @Test
    void foreignMagic_isRefused() {
        for (String file : List.of("tiny.fidx", "tiny.didx", "key-none.json")) {
            assertThatThrownBy(() -> DataBlob.parse(Vectors.bytes(file), file))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining(file);
        }
    }

    @Test
    void otherKeyAndNoKey_areToldApartFromDamage() throws DatastoreException {
        byte[] bytes = Vectors.bytes("blob-enczstd.bin");
        DataBlob blob = DataBlob.parse(bytes, "b");
        ChunkDigest digest = ChunkDigest.of(new byte[32]);
        BlobDecoder none = new BlobDecoder(null);
        assertThatThrownBy(() -> none.decode(blob, "b", LIMIT)).isInstanceOf(WrongKeyException.class);
        assertThatThrownBy(() -> none.decodeChunk(blob, digest, -1)).isInstanceOf(WrongKeyException.class);
        BlobDecoder other = new BlobDecoder(CryptConfig.of(new byte[32]));
        assertThatThrownBy(() -> other.decode(blob, "b", LIMIT)).isInstanceOf(WrongKeyException.class);
        assertThatThrownBy(() -> other.decodeChunk(blob, digest, -1))
                .isInstanceOf(ChunkCorruptException.class)
                .hasCauseInstanceOf(WrongKeyException.class);
    }

    @Test
    void wrongDigestAndWrongLength_areFound() throws DatastoreException {
        DataBlob blob = DataBlob.parse(Vectors.bytes("blob-plain-hello.bin"), "b");
        ChunkDigest digest = new BlobEncoder(false, null).digest("hello world\n".getBytes(), 0, 12);
        assertThat(decoder.decodeChunk(blob, digest, -1)).hasSize(12);
        assertThatThrownBy(() -> decoder.decodeChunk(blob, digest, 11)).isInstanceOf(ChunkCorruptException.class);
        assertThatThrownBy(() -> decoder.decodeChunk(blob, ChunkDigest.of(new byte[32]), 12))
                .isInstanceOf(ChunkCorruptException.class)
                .satisfies(
                        e -> assertThat(((ChunkCorruptException) e).digest()).isEqualTo(ChunkDigest.of(new byte[32])));
        // Under a key the same plain chunk keeps its unkeyed digest: the container decides.
        assertThatThrownBy(() -> decoder.decodeChunk(blob, Vectors.KEY.digest("hello world\n".getBytes(), 0, 12), 12))
                .isInstanceOf(ChunkCorruptException.class);
    }

    @Test
    void limit_isKeptToTheByte() throws DatastoreException {
        for (String file : List.of("blob-zstd.bin", "blob-zstd-nosize.bin", "blob-enczstd.bin")) {
            DataBlob blob = DataBlob.parse(Vectors.bytes(file), file);
            assertThat(decoder.decode(blob, file, 400)).hasSize(400);
            for (int limit : new int[] {0, 1, 399}) {
                assertThatThrownBy(() -> decoder.decode(blob, file, limit)).isInstanceOf(FormatException.class);
            }
        }
        DataBlob hello = DataBlob.parse(Vectors.bytes("blob-plain-hello.bin"), "b");
        assertThatThrownBy(() -> decoder.decode(hello, "b", 11)).isInstanceOf(FormatException.class);
        DataBlob sealed = DataBlob.parse(Vectors.bytes("blob-enc-hello.bin"), "b");
        assertThatThrownBy(() -> decoder.decode(sealed, "b", 11)).isInstanceOf(FormatException.class);
    }

    @Test
    void concatenatedFrames_areAllRead() throws DatastoreException {
        Random random = new Random(7);
        byte[] first = new byte[100_000];
        byte[] second = new byte[3_000_000];
        random.nextBytes(first);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        frames.writeBytes(Zstd.compress(first, 1));
        frames.writeBytes(Zstd.compress(new byte[0], 1));
        frames.writeBytes(Zstd.compress(second, 1));
        byte[] expected = Arrays.copyOf(first, first.length + second.length);
        assertThat(decode(compressed(frames.toByteArray()))).isEqualTo(expected);
        frames.write(0);
        assertThatThrownBy(() -> decode(compressed(frames.toByteArray()))).isInstanceOf(FormatException.class);
    }

    @Test
    void emptyFrame_givesNothing_butNoFrameIsAnError() throws DatastoreException {
        assertThat(decode(compressed(Zstd.compress(new byte[0], 1)))).isEmpty();
        assertThatThrownBy(() -> decode(compressed(new byte[0]))).isInstanceOf(FormatException.class);
    }

    /** A frame that claims 2^62 bytes, and one that claims as much as the limit but holds nothing of it. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 62, (1L << 32) + 5, DataBlob.MAX_DATA_BYTES, 20_000_000})
    void absurdContentSize_isRefusedWithBoundedMemory(long declared) {
        byte[] frame = new byte[4 + 1 + 8 + 3 + 1];
        // Magic; single segment with an 8-byte content size; one last RLE block of 5 bytes.
        byte[] head = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, (byte) 0xe0};
        System.arraycopy(head, 0, frame, 0, head.length);
        for (int i = 0; i < 8; i++) {
            frame[5 + i] = (byte) (declared >>> (8 * i));
        }
        frame[13] = (byte) (1 | (1 << 1) | (5 << 3));
        frame[16] = 'x';
        byte[] encoded = compressed(frame);
        long before = allocatedBytes();
        assertThatThrownBy(() -> decoder.decode(DataBlob.parse(encoded, "b"), "b", DataBlob.MAX_DATA_BYTES))
                .isInstanceOf(FormatException.class);
        assertThat(allocatedBytes() - before).isLessThan(10 << 20);
    }

    @Test
    void bomb_stopsAtTheLimit() {
        byte[] zeros = new byte[64 << 20];
        byte[] encoded =
                new BlobEncoder(true, null).encode(zeros, 0, zeros.length).encoded();
        assertThat(encoded.length).isLessThan(20_000);
        assertThatThrownBy(() -> decode(encoded)).isInstanceOf(FormatException.class);
        // The same without a declared size: found while it decompresses.
        byte[] undeclared = compressed(withoutContentSize(zeros));
        long before = allocatedBytes();
        assertThatThrownBy(() -> decode(undeclared)).isInstanceOf(FormatException.class);
        assertThat(allocatedBytes() - before).isLessThan(3L * LIMIT);
    }

    private static byte[] withoutContentSize(byte[] data) {
        try (com.github.luben.zstd.ZstdCompressCtx context = new com.github.luben.zstd.ZstdCompressCtx()) {
            context.setContentSize(false);
            return context.compress(data);
        }
    }

    private static byte[] compressed(byte[] frames) {
        byte[] encoded = new byte[DataBlob.PLAIN_HEADER_BYTES + frames.length];
        System.arraycopy(frames, 0, encoded, DataBlob.PLAIN_HEADER_BYTES, frames.length);
        return DataBlob.complete(encoded, BlobMagic.COMPRESSED).encoded();
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
