package dev.holdfast.datastore.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.blob.Vectors;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.bouncycastle.crypto.generators.SCrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class BackupManifestTest {

    private static final JsonNode GOLDEN = Vectors.description().get("manifest");
    private static final String PRETTY = GOLDEN.get("pretty").asString();
    private static final CryptConfig OTHER_KEY = CryptConfig.of(new byte[32]);

    private static BackupManifest parse(String json) throws DatastoreException {
        return BackupManifest.parse(json.getBytes(StandardCharsets.UTF_8), "m");
    }

    private static ManifestEntry entry(String name, CryptMode mode, long size, int fill) {
        byte[] checksum = new byte[32];
        Arrays.fill(checksum, (byte) fill);
        return new ManifestEntry(new ArchiveName(name), mode, size, ChunkDigest.of(checksum));
    }

    /** A manifest as it may lie on disk; {@code %s} are further members. */
    private static String document(String members) {
        return "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":[]" + members + "}";
    }

    @Test
    void goldenManifest_isMadeByteForByte() {
        BackupManifest manifest = BackupManifest.create(SnapshotId.parse("vm/100/2024-01-02T03:04:05Z"))
                .withFile(entry("disk.img.fidx", CryptMode.ENCRYPT, 4194404, 0x11))
                .withFile(entry("qemu-server.conf.blob", CryptMode.NONE, 321, 0x22))
                .withUnprotected("notes", "line one\nünicode \"quoted\" \\ / tab\t");
        assertThat(new String(manifest.canonical(), StandardCharsets.UTF_8))
                .isEqualTo(GOLDEN.get("canonical").asString());
        BackupManifest signed = manifest.signed(Vectors.KEY);
        assertThat(signed.signature()).contains(GOLDEN.get("signature").asString());
        assertThat(new String(signed.toJson(), StandardCharsets.UTF_8)).isEqualTo(PRETTY);
        assertThat(signed.notes()).startsWith("line one\n");
    }

    @Test
    void goldenManifest_isReadAndWrittenAgain() throws DatastoreException {
        BackupManifest manifest = parse(PRETTY);
        assertThat(manifest.snapshot()).hasToString("vm/100/2024-01-02T03:04:05Z");
        assertThat(manifest.files())
                .containsExactly(
                        entry("disk.img.fidx", CryptMode.ENCRYPT, 4194404, 0x11),
                        entry("qemu-server.conf.blob", CryptMode.NONE, 321, 0x22));
        assertThat(new String(manifest.toJson(), StandardCharsets.UTF_8)).isEqualTo(PRETTY);
        assertThat(BackupManifest.fromBlob(manifest.toBlob(), "m")).isEqualTo(manifest);
        assertThat(manifest.toBlob().isEncrypted()).isFalse();
        manifest.checkSignature(Vectors.KEY, "m");
    }

    @Test
    void secondKnownSignature_isMade() {
        byte[] key = SCrypt.generate("test".getBytes(StandardCharsets.US_ASCII), new byte[0], 65536, 8, 1, 32);
        BackupManifest manifest = BackupManifest.create(
                        new SnapshotId(dev.holdfast.api.model.BackupGroup.parse("host/elsa"), 1593179765))
                .withFile(entry("test1.img.fidx", CryptMode.ENCRYPT, 200, 1))
                .withFile(entry("abc.blob", CryptMode.NONE, 200, 2));
        assertThat(manifest.signed(CryptConfig.of(key)).signature())
                .contains(Vectors.description()
                        .get("manifest_known_answer")
                        .get("signature")
                        .asString());
    }

    @Test
    void emptyManifest_hasEmptyContainersAndANullSignature() {
        assertThat(new String(
                        BackupManifest.create(SnapshotId.parse("host/a/1970-01-01T00:00:01Z"))
                                .toJson(),
                        StandardCharsets.UTF_8))
                .isEqualTo("{\n  \"backup-id\": \"a\",\n  \"backup-time\": 1,\n  \"backup-type\": \"host\",\n"
                        + "  \"files\": [],\n  \"signature\": null,\n  \"unprotected\": {}\n}");
    }

    @Test
    void checkOfSignature_followsTheTable() throws DatastoreException {
        BackupManifest signed = parse(PRETTY);
        BackupManifest plain = parse(document(""));
        // No key and nothing that needs one; a key and nothing to check.
        assertThatCode(() -> plain.checkSignature(null, "m")).doesNotThrowAnyException();
        assertThatCode(() -> plain.checkSignature(Vectors.KEY, "m")).doesNotThrowAnyException();
        // A key is named, or content is encrypted, and none is given.
        assertThatThrownBy(() -> signed.checkSignature(null, "m"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining(Vectors.KEY.fingerprint());
        BackupManifest encrypted = plain.withFile(entry("a.blob", CryptMode.ENCRYPT, 1, 1));
        assertThatThrownBy(() -> encrypted.checkSignature(null, "m")).isInstanceOf(WrongKeyException.class);
        assertThatCode(() -> encrypted.checkSignature(Vectors.KEY, "m")).doesNotThrowAnyException();
        // Another key: the fingerprint says so before the signature does.
        assertThatThrownBy(() -> signed.checkSignature(OTHER_KEY, "m"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining("was made with key");
        BackupManifest unnamed = signed.withUnprotected("key-fingerprint", null);
        assertThatThrownBy(() -> unnamed.checkSignature(OTHER_KEY, "m"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining("signature");
        // Changed after it was signed; what is unprotected may change.
        assertThatThrownBy(() -> parse(PRETTY.replace("321", "322")).checkSignature(Vectors.KEY, "m"))
                .isInstanceOf(WrongKeyException.class);
        assertThatCode(() -> signed.withUnprotected("notes", "other").checkSignature(Vectors.KEY, "m"))
                .doesNotThrowAnyException();
    }

    @Test
    void signatureOverUnknownMembers_isAccepted() throws DatastoreException {
        String signedText =
                "{\"backup-id\":\"a\",\"backup-time\":1,\"backup-type\":\"host\",\"files\":[],\"future\":[1,\"x\"]}";
        String tag = HexFormat.of().formatHex(Vectors.KEY.authTag(signedText.getBytes(StandardCharsets.UTF_8)));
        parse(document(",\"future\":[1, \"x\"],\"signature\":\"" + tag + "\"")).checkSignature(Vectors.KEY, "m");
        assertThatThrownBy(() -> parse(document(",\"future\":[2, \"x\"],\"signature\":\"" + tag + "\""))
                        .checkSignature(Vectors.KEY, "m"))
                .isInstanceOf(WrongKeyException.class);
        assertThatThrownBy(() -> parse(document(",\"future\":null,\"signature\":\"" + tag + "\""))
                        .checkSignature(Vectors.KEY, "m"))
                .isInstanceOf(WrongKeyException.class);
    }

    @Test
    void unknownMembers_surviveAChange() throws DatastoreException {
        BackupManifest manifest = parse(
                document(
                        ",\"future\":{\"b\":null,\"a\":[1.50,18446744073709551616,true,{}]},\"unprotected\":{\"x\":{\"y\":-1}}"));
        BackupManifest changed =
                manifest.withUnprotected("verify_state", Map.of("upid", "UPID:x", "state", "ok", "n", 3));
        String json = new String(changed.toJson(), StandardCharsets.UTF_8);
        assertThat(json.replaceAll("\\s", ""))
                .isEqualTo("{\"backup-id\":\"a\",\"backup-time\":1,\"backup-type\":\"host\",\"files\":[],"
                        + "\"future\":{\"a\":[1.50,18446744073709551616,true,{}],\"b\":null},\"signature\":null,"
                        + "\"unprotected\":{\"verify_state\":{\"n\":3,\"state\":\"ok\",\"upid\":\"UPID:x\"},"
                        + "\"x\":{\"y\":-1}}}");
        assertThat(changed.unprotected())
                .containsEntry("verify_state", Map.of("upid", "UPID:x", "state", "ok", "n", 3L))
                .containsEntry("x", Map.of("y", -1L));
        assertThat(manifest.unprotected()).doesNotContainKey("verify_state");
        assertThat(changed.withUnprotected("verify_state", null))
                .isEqualTo(parse(new String(manifest.toJson(), StandardCharsets.UTF_8)));
    }

    @Test
    void textIsEscapedAsTheOriginalDoes() throws DatastoreException {
        BackupManifest manifest = BackupManifest.create(SnapshotId.parse("host/a/1970-01-01T00:00:01Z"))
                .withUnprotected("notes", "\u0000\b\t\n\u000b\f\r\u001f\"\\/\u007f\u0080\u2028\ud83d\ude00")
                .withUnprotected("\ud83d\ude00", 1)
                .withUnprotected("\uffee", 2);
        String json = new String(manifest.toJson(), StandardCharsets.UTF_8);
        assertThat(json)
                .contains("\"notes\": \"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\u007f\u0080\u2028\ud83d\ude00\"");
        // By UTF-8 bytes, not by Java's UTF-16 order.
        assertThat(json.indexOf("\"\uffee\"")).isPositive().isLessThan(json.indexOf("\"\ud83d\ude00\""));
        assertThat(BackupManifest.parse(manifest.toJson(), "m")).isEqualTo(manifest);
    }

    @Test
    void canonicalForm_refusesNull() throws FormatException {
        JsonNode node = ManifestJson.parse("{\"b\":[{\"c\":null}]}".getBytes(StandardCharsets.UTF_8), "m");
        assertThatThrownBy(() -> ManifestJson.canonical(node)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oldManifest_withoutOptionalMembers_isRead() throws DatastoreException {
        BackupManifest manifest = parse("{\"backup-type\":\"ct\",\"backup-id\":\"7\",\"backup-time\":9,\"files\":["
                + "{\"filename\":\"root.pxar.didx\",\"size\":5,\"csum\":\"" + "AB".repeat(32) + "\"}]}");
        assertThat(manifest.files().get(0).cryptMode()).isEqualTo(CryptMode.NONE);
        assertThat(manifest.files().get(0).checksum()).hasToString("ab".repeat(32));
        assertThat(manifest.file(new ArchiveName("root.pxar.didx"))).isPresent();
        assertThat(manifest.file(new ArchiveName("other.didx"))).isEmpty();
        assertThat(manifest.unprotected()).isEmpty();
        assertThat(manifest.signature()).isEmpty();
        assertThat(manifest.notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":0,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":-1,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1.0,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":\"1\",\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":18446744073709551617,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"../a\",\"backup-time\":1,\"files\":[]}",
                "{\"backup-type\":\"HOST\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":5,\"backup-time\":1,\"files\":[]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":{}}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":[1]}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":[]} x",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-time\":1,\"files\":[],}",
                "{\"backup-type\":\"host\",\"backup-id\":\"a\",\"backup-id\":\"b\",\"backup-time\":1,\"files\":[]}",
            })
    void malformedDocument_isRefused(String json) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"unprotected\":[]",
                ",\"unprotected\":null",
                ",\"unprotected\":{\"a\":1,\"a\":1}",
                ",\"signature\":\"ab\"",
                ",\"signature\":7",
                ",\"notes\":\"\\ud800\"",
                ",\"\\udc00\":1",
                ",\"x\":NaN",
                ",\"x\":01",
                ",\"x\":'a'",
                ",/* */\"x\":1"
            })
    void malformedMember_isRefused(String member) {
        assertThatThrownBy(() -> parse(document(member))).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"size\":-1",
                "\"size\":9223372036854775808",
                "\"size\":1e3",
                "\"size\":\"5\"",
                "\"size\":null",
                "\"size\":5,\"crypt-mode\":\"maybe\"",
                "\"size\":5,\"crypt-mode\":null"
            })
    void malformedFile_isRefused(String members) {
        String json = document("")
                .replace("[]", "[{\"filename\":\"a.blob\",\"csum\":\"" + "ab".repeat(32) + "\"," + members + "}]");
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @Test
    void fileListedTwice_isRefused() throws DatastoreException {
        String file = "{\"filename\":\"a.blob\",\"size\":1,\"csum\":\"" + "ab".repeat(32) + "\"}";
        assertThatThrownBy(() -> parse(document("").replace("[]", "[" + file + "," + file + "]")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a.blob");
        BackupManifest one = parse(document("").replace("[]", "[" + file + "]"));
        assertThatThrownBy(() -> one.withFile(one.files().get(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deepNesting_isRefusedWithoutStackOverflow() {
        for (int depth : List.of(200, 1_000_000)) {
            String json = document(",\"x\":" + "[".repeat(depth) + "]".repeat(depth));
            assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
        }
        assertThatCode(() -> parse(document(",\"x\":" + "[".repeat(100) + "]".repeat(100))))
                .doesNotThrowAnyException();
    }

    @Test
    void otherEncodings_areRefused() {
        for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16, StandardCharsets.UTF_16BE)) {
            assertThatThrownBy(() -> BackupManifest.parse(document("").getBytes(charset), "m"))
                    .isInstanceOf(FormatException.class);
        }
        byte[] latin = document(",\"x\":\"\u00fc\"").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> BackupManifest.parse(latin, "m"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void valueThatJsonLacks_isRefused() {
        BackupManifest manifest = BackupManifest.create(SnapshotId.parse("host/a/1970-01-01T00:00:01Z"));
        assertThatThrownBy(() -> manifest.withUnprotected("a", new Object()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> manifest.withUnprotected("a", Map.of(1, 2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> manifest.withUnprotected("a", "\ud800")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void encryptedBlob_isNoManifest() {
        DataBlob blob = new BlobEncoder(true, Vectors.KEY).encode(PRETTY.getBytes(StandardCharsets.UTF_8), 0, 10);
        assertThatThrownBy(() -> BackupManifest.fromBlob(blob, "m")).isInstanceOf(FormatException.class);
    }

    @Test
    void hugeManifest_isRefusedBeforeItIsParsed() {
        byte[] zeros = new byte[BackupManifest.MAX_BYTES + 1];
        DataBlob bomb = new BlobEncoder(true, null).encode(zeros, 0, zeros.length);
        assertThat(bomb.size()).isLessThan(10_000);
        assertThatThrownBy(() -> BackupManifest.fromBlob(bomb, "m")).isInstanceOf(FormatException.class);
    }
}
