package dev.holdfast.datastore.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BlobRoundTripTest {

    private final BlobDecoder decoder = new BlobDecoder(Vectors.KEY);

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void anyData_comesBack(
            @ForAll @IntRange(max = 70_000) int length,
            @ForAll @IntRange(max = 9) int offset,
            @ForAll @IntRange(min = 1, max = 256) int symbols,
            @ForAll long seed,
            @ForAll boolean compress,
            @ForAll boolean encrypt)
            throws DatastoreException {
        Random random = new Random(seed);
        byte[] buffer = new byte[length + 2 * offset];
        for (int i = 0; i < buffer.length; i++) {
            buffer[i] = (byte) random.nextInt(symbols);
        }
        byte[] data = Arrays.copyOfRange(buffer, offset, offset + length);
        BlobEncoder encoder = new BlobEncoder(compress, encrypt ? Vectors.KEY : null);
        DataBlob blob = encoder.encode(buffer, offset, length);
        ChunkDigest digest = encoder.digest(buffer, offset, length);

        int header = encrypt ? DataBlob.ENCRYPTED_HEADER_BYTES : DataBlob.PLAIN_HEADER_BYTES;
        assertThat(blob.size()).isLessThanOrEqualTo(length + header);
        assertThat(blob.isEncrypted()).isEqualTo(encrypt);
        assertThat(blob.isCompressed() && !compress).isFalse();
        DataBlob parsed = DataBlob.parse(blob.encoded(), "b");
        assertThat(parsed.isCompressed()).isEqualTo(blob.isCompressed());
        assertThat(decoder.decodeChunk(parsed, digest, length)).isEqualTo(data);
        assertThat(decoder.decode(parsed, "b", length)).isEqualTo(data);
    }

    @Example
    void oneEncoder_servesManySizes() throws DatastoreException {
        BlobEncoder encoder = new BlobEncoder(true, Vectors.KEY);
        for (int length : new int[] {0, 1, 4 << 20, 5, 16 << 20, 100}) {
            byte[] data = new byte[length];
            DataBlob blob = encoder.encode(data, 0, length);
            assertThat(blob.isCompressed()).isEqualTo(length > 20);
            assertThat(decoder.decode(blob, "b", length)).isEqualTo(data);
        }
    }

    @Example
    void sameData_isSealedDifferentlyEachTime() {
        BlobEncoder encoder = new BlobEncoder(false, Vectors.KEY);
        byte[] data = new byte[100];
        assertThat(encoder.encode(data, 0, 100).encoded())
                .isNotEqualTo(encoder.encode(data, 0, 100).encoded());
    }

    @Example
    void dataAboveTheLimit_isRefused() {
        BlobEncoder encoder = new BlobEncoder(false, null);
        byte[] data = new byte[DataBlob.MAX_DATA_BYTES + 1];
        assertThatThrownBy(() -> encoder.encode(data, 0, data.length)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encoder.encode(data, 5, data.length)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
