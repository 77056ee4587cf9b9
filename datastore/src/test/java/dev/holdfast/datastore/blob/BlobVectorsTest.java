package dev.holdfast.datastore.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every golden blob, and the derived values of the golden key. */
class BlobVectorsTest {

    static List<JsonNode> blobs() {
        return Vectors.files("blob");
    }

    @ParameterizedTest
    @MethodSource("blobs")
    void goldenBlob_hasTheDescribedContent(JsonNode expected) throws DatastoreException {
        String file = expected.get("file").asString();
        byte[] encoded = Vectors.bytes(file);
        assertThat(encoded).hasSize(expected.get("length").asInt());
        assertThat(sha256(encoded)).isEqualTo(expected.get("sha256").asString());

        DataBlob blob = DataBlob.parse(encoded, file);
        assertThat(blob.isEncrypted()).isEqualTo(expected.get("encrypted").asBoolean());
        assertThat(blob.isCompressed()).isEqualTo(expected.get("compressed").asBoolean());
        assertThat(blob.size()).isEqualTo(encoded.length);
        CRC32 crc = new CRC32();
        crc.update(encoded, blob.payloadOffset(), encoded.length - blob.payloadOffset());
        assertThat(String.format("%08x", crc.getValue()))
                .isEqualTo(expected.get("crc32").asString());

        BlobDecoder decoder = new BlobDecoder(Vectors.KEY);
        int length = expected.get("data_length").asInt();
        byte[] data = decoder.decode(blob, file, length);
        assertThat(data).hasSize(length);
        assertThat(sha256(data)).isEqualTo(expected.get("data_sha256").asString());
        ChunkDigest digest = ChunkDigest.parse(expected.get("chunk_digest").asString());
        assertThat(decoder.decodeChunk(blob, digest, length)).isEqualTo(data);
        BlobEncoder encoder = new BlobEncoder(true, blob.isEncrypted() ? Vectors.KEY : null);
        assertThat(encoder.digest(data, 0, data.length)).isEqualTo(digest);
    }

    @Test
    void goldenSet_hasAllVariants() {
        assertThat(blobs()).hasSize(7);
        assertThat(blobs().stream().map(b -> b.get("magic").asString()).distinct())
                .hasSize(4);
    }

    @Test
    void encryptedHello_isRecreatedByteForByteFromItsIv() {
        byte[] hello = "hello world\n".getBytes(StandardCharsets.US_ASCII);
        byte[] golden = Vectors.bytes("blob-enc-hello.bin");
        byte[] iv = Arrays.copyOfRange(golden, 12, 28);
        byte[] sealed = Vectors.KEY.cipher().seal(iv, DataBlob.PLAIN_HEADER_BYTES, hello, 0, hello.length);
        assertThat(DataBlob.complete(sealed, BlobMagic.ENCRYPTED).encoded()).isEqualTo(golden);
    }

    @Test
    void plainBlobs_areRecreatedByteForByte() {
        BlobEncoder encoder = new BlobEncoder(true, null);
        byte[] hello = "hello world\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(encoder.encode(hello, 0, hello.length).encoded()).isEqualTo(Vectors.bytes("blob-plain-hello.bin"));
        assertThat(encoder.encode(hello, 5, 0).encoded()).isEqualTo(Vectors.bytes("blob-plain-empty.bin"));
    }

    @Test
    void goldenKey_hasTheDescribedDerivedValues() {
        JsonNode key = Vectors.description().get("key");
        CryptConfig crypt = Vectors.KEY;
        HexFormat hex = HexFormat.of();
        assertThat(crypt.fingerprint()).isEqualTo(key.get("fingerprint").asString());
        assertThat(crypt.shortFingerprint())
                .isEqualTo(key.get("short_fingerprint").asString());
        assertThat(crypt.hasFingerprint(
                        key.get("fingerprint").asString().replace(":", "").toUpperCase(java.util.Locale.ROOT)))
                .isTrue();
        byte[] idKey = Pbkdf2.derive(Vectors.rawKey(), "_id_key".getBytes(StandardCharsets.US_ASCII), 10);
        assertThat(hex.formatHex(idKey)).isEqualTo(key.get("id_key").asString());
        assertThat(hex.formatHex(crypt.authTag("test".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo(key.get("auth_tag_of_ascii_test").asString());
        assertThat(crypt.digest(new byte[0], 0, 0))
                .hasToString(key.get("digest_of_empty").asString());
        byte[] hello = "hello world\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(crypt.digest(hello, 0, hello.length))
                .hasToString(key.get("digest_of_hello").asString());
    }

    @Test
    void keyText_showsNoSecret() {
        assertThat(Vectors.KEY).hasToString("key 0e:ab:d4:46:0b:6e:b9:ca");
    }

    static String sha256(byte[] data) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
