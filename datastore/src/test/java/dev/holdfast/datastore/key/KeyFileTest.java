package dev.holdfast.datastore.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.Vectors;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import dev.holdfast.posix.JnrPosixFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.crypto.generators.SCrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class KeyFileTest {

    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2024-06-02T03:04:05.678Z"), ZoneId.of("Europe/Vienna"));

    private static final char[] PASSPHRASE = "secret passphrase".toCharArray();

    static List<JsonNode> keyFiles() {
        return Vectors.files("key file");
    }

    @ParameterizedTest
    @MethodSource("keyFiles")
    void goldenKeyFile_givesTheKey(JsonNode expected) throws DatastoreException {
        String file = expected.get("file").asString();
        KeyFile key = KeyFile.parse(Vectors.bytes(file), file);
        assertThat(key.isProtected()).isEqualTo(!expected.get("kdf").asString().equals("None"));
        assertThat(key.plainKey(PASSPHRASE, file).fingerprint()).isEqualTo(Vectors.KEY.fingerprint());
        assertThat(expected.get("plain_key").asString())
                .isEqualTo(HexFormat.of().formatHex(Vectors.rawKey()));
        assertThat(key.created()).isEqualTo("2024-01-02T03:04:05Z");
    }

    @ParameterizedTest
    @MethodSource("keyFiles")
    void goldenKeyFile_isWrittenAgainByteForByte(JsonNode expected) throws DatastoreException {
        String file = expected.get("file").asString();
        byte[] bytes = Vectors.bytes(file);
        assertThat(KeyFile.parse(bytes, file).toJson()).isEqualTo(bytes);
    }

    @Test
    void wrongPassphrase_namesTheHint() throws DatastoreException {
        KeyFile key = KeyFile.of(Vectors.rawKey(), CLOCK)
                .protectedBy(new char[0], "öffne dich".toCharArray(), "forty thieves", CLOCK);
        KeyFile read = KeyFile.parse(key.toJson(), "k");
        assertThat(read.plainKey("öffne dich".toCharArray(), "k").fingerprint()).isEqualTo(Vectors.KEY.fingerprint());
        assertThatThrownBy(() -> read.plainKey("offne dich".toCharArray(), "k"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining("forty thieves");
        assertThatThrownBy(() -> read.plainKey("four".toCharArray(), "k"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining("forty thieves");
    }

    @Test
    void newKeyFile_hasTheStandardParametersAndTimes() throws DatastoreException {
        KeyFile key = KeyFile.create(CLOCK);
        Clock later = Clock.offset(CLOCK, Duration.ofDays(1));
        KeyFile sealed = key.protectedBy(new char[0], PASSPHRASE, null, later);
        assertThat(new String(sealed.toJson(), StandardCharsets.UTF_8))
                .startsWith("{\"kdf\":{\"Scrypt\":{\"n\":65536,\"r\":8,\"p\":1,\"salt\":\"")
                .contains("\"created\":\"2024-06-02T05:04:05+02:00\",\"modified\":\"2024-06-03T05:04:05+02:00\"")
                .doesNotContain("hint");
        assertThat(((KeyDerivation.Scrypt) sealed.derivation()).salt()).hasSize(32);
        assertThat(sealed.fingerprint()).isEqualTo(key.fingerprint());
        assertThat(KeyFile.create(CLOCK).fingerprint()).isNotEqualTo(key.fingerprint());
    }

    @Test
    void changeOfPassphrase_keepsTheKey() throws DatastoreException {
        KeyFile old = KeyFile.parse(Vectors.bytes("key-pbkdf2.json"), "old");
        KeyFile changed = old.protectedBy(PASSPHRASE, "another one".toCharArray(), "h", CLOCK);
        assertThat(changed.plainKey("another one".toCharArray(), "new").fingerprint())
                .isEqualTo(Vectors.KEY.fingerprint());
        assertThat(changed.created()).isEqualTo(old.created());
        assertThatThrownBy(() -> old.protectedBy("not this".toCharArray(), PASSPHRASE, null, CLOCK))
                .isInstanceOf(WrongKeyException.class);
        assertThatThrownBy(() -> old.protectedBy(PASSPHRASE, "four".toCharArray(), null, CLOCK))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> old.protectedBy(PASSPHRASE, PASSPHRASE, "two\nlines", CLOCK))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fingerprintOfAnotherKey_isRefused() {
        String json = text("key-none.json").replace("0e:ab", "0e:ac");
        assertThatThrownBy(() -> parse(json).plainKey(new char[0], "k"))
                .isInstanceOf(WrongKeyException.class)
                .hasMessageContaining("fingerprint");
    }

    @Test
    void fingerprintWithoutColonsOrInCapitals_isAccepted() throws DatastoreException {
        String print = Vectors.KEY.fingerprint();
        String json =
                text("key-none.json").replace(print, print.replace(":", "").toUpperCase(java.util.Locale.ROOT));
        assertThat(parse(json).plainKey(new char[0], "k").fingerprint()).isEqualTo(print);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"n\":65535",
                "\"n\":0",
                "\"n\":1",
                "\"n\":2147483648",
                "\"n\":1073741824",
                "\"n\":-65536",
                "\"n\":65536.0",
                "\"n\":\"65536\"",
                "\"n\":4194304",
                "\"n\":null"
            })
    void absurdScrypt_isRefusedAtOnce(String n) {
        String json = text("key-scrypt.json").replace("\"n\":65536", n);
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"r\":0", "\"r\":2147483647", "\"r\":1024"})
    void absurdBlockSize_isRefused(String r) {
        String json = text("key-scrypt.json").replace("\"r\":8", r);
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"p\":0", "\"p\":2147483647", "\"p\":1048576", "\"p\":129"})
    void absurdParallelisation_isRefused(String p) {
        String json = text("key-scrypt.json").replace("\"p\":1", p);
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"iter\":0", "\"iter\":10000001", "\"iter\":99999999999999999999"})
    void absurdPbkdf2_isRefused(String iterations) {
        String json = text("key-pbkdf2.json").replace("\"iter\":65535", iterations);
        assertThatThrownBy(() -> parse(json)).isInstanceOf(FormatException.class);
    }

    @Test
    void largestScryptOfTheOriginal_isWithinTheBounds() throws DatastoreException {
        // 1 GiB; parsed only, for a test should not need that much.
        String json = text("key-scrypt.json").replace("\"n\":65536", "\"n\":1048576");
        assertThat(((KeyDerivation.Scrypt) parse(json).derivation()).memoryBytes())
                .isBetween(1L << 30, KeyDerivation.Scrypt.MAX_MEMORY_BYTES);
    }

    @Test
    void cutKeyFile_isRefusedAtEveryLength() {
        byte[] whole = Vectors.bytes("key-scrypt.json");
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> KeyFile.parse(cut, "k"))
                    .as("%d bytes", length)
                    .isInstanceOf(FormatException.class);
        }
    }

    @Test
    void errorsAndText_doNotRepeatTheKey() throws DatastoreException {
        String data = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        String json = text("key-none.json");
        assertThat(json).contains(data);
        assertThat(parse(json).toString()).doesNotContain(data);
        for (String damaged : List.of(
                json.replace("\"data\":\"", "\"data\": "),
                json.replace(data, data + data),
                json.replace(data, data.replace("=", "*")),
                json + json)) {
            assertThatThrownBy(() -> parse(damaged))
                    .isInstanceOf(FormatException.class)
                    .hasMessageNotContaining("AAECAw")
                    .hasNoCause();
        }
    }

    @Test
    void unknownDerivation_isRefused() {
        assertThatThrownBy(() -> parse(text("key-scrypt.json").replace("Scrypt", "Argon")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("kdf");
    }

    @Test
    void scrypt_passesTheVectorOfItsRfc() {
        // RFC 7914, section 12, second vector.
        byte[] derived = SCrypt.generate(
                "password".getBytes(StandardCharsets.US_ASCII),
                "NaCl".getBytes(StandardCharsets.US_ASCII),
                1024,
                8,
                16,
                64);
        assertThat(HexFormat.of().formatHex(derived))
                .isEqualTo("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640");
    }

    @Test
    void fileOnDisk_isPrivateAndNeverOverwritten(@TempDir Path directory) throws IOException {
        KeyFiles files = new KeyFiles(JnrPosixFiles.load());
        Path path = directory.resolve("k.json");
        KeyFile key = KeyFile.create(CLOCK);
        files.writeNew(path, key);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> files.writeNew(path, KeyFile.create(CLOCK)))
                .isInstanceOf(AlreadyExistsException.class);
        CryptConfig plain = files.read(path).plainKey(new char[0], "k");
        assertThat(key.fingerprint()).contains(plain.fingerprint());
        files.replace(path, key.protectedBy(new char[0], PASSPHRASE, null, CLOCK));
        assertThat(files.read(path).isProtected()).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> files.read(directory)).isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> files.read(directory.resolve("absent")))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("no such file");
    }

    private static String text(String file) {
        return new String(Vectors.bytes(file), StandardCharsets.UTF_8);
    }

    private static KeyFile parse(String json) throws DatastoreException {
        return KeyFile.parse(json.getBytes(StandardCharsets.UTF_8), "k");
    }
}
