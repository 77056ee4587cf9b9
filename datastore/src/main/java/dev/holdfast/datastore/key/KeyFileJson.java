package dev.holdfast.datastore.key;

import dev.holdfast.datastore.blob.AesGcm;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.FormatException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of key files, both ways. No message repeats content of the file: it may be a key. */
final class KeyFileJson {

    /** A protected key file has some 400 bytes. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_SALT_BYTES = 1024;

    /** Numeric offset, also for UTC. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx");

    private static final Pattern FINGERPRINT = Pattern.compile("[0-9A-Fa-f]{2}(:?[0-9A-Fa-f]{2}){31}");

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final JsonNode file;
    private final String name;

    private KeyFileJson(JsonNode file, String name) {
        this.file = file;
        this.name = name;
    }

    static KeyFile parse(byte[] json, String name) throws FormatException {
        if (json.length > MAX_BYTES) {
            throw new FormatException(name, name + " is no key file: it has " + json.length + " bytes");
        }
        JsonNode node;
        try {
            node = MAPPER.readTree(new String(json, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            // Neither the parser's message nor the exception: both may quote the key.
            throw new FormatException(name, name + " is no key file: it is no valid JSON");
        }
        if (!(node instanceof ObjectNode)) {
            throw new FormatException(name, name + " is no key file: it is no JSON object");
        }
        return new KeyFileJson(node, name).parse();
    }

    private KeyFile parse() throws FormatException {
        KeyDerivation derivation = derivation();
        byte[] data = base64(file, "data");
        int sealed = derivation instanceof KeyDerivation.None ? 0 : AesGcm.OVERHEAD_BYTES;
        if (data.length != CryptConfig.KEY_BYTES + sealed) {
            throw wrong("member 'data' has " + data.length + " bytes instead of " + (CryptConfig.KEY_BYTES + sealed));
        }
        String fingerprint = optionalText("fingerprint");
        if (fingerprint != null && !FINGERPRINT.matcher(fingerprint).matches()) {
            throw wrong("member 'fingerprint' must be 32 bytes in hex");
        }
        String hint = optionalText("hint");
        if (hint != null && !KeyFile.isHint(hint)) {
            throw wrong("member 'hint' must have 1 to 64 characters in one line");
        }
        KeyFile.Times times = new KeyFile.Times(time("created"), time("modified"));
        return new KeyFile(derivation, times, data, fingerprint, hint);
    }

    private KeyDerivation derivation() throws FormatException {
        JsonNode kdf = file.get("kdf");
        if (kdf == null || kdf.isNull()) {
            return new KeyDerivation.None();
        }
        if (kdf.isObject() && kdf.size() == 1 && kdf.get("Scrypt") instanceof ObjectNode p) {
            var scrypt = new KeyDerivation.Scrypt(number(p, "n"), number(p, "r"), number(p, "p"), salt(p));
            scrypt.check(name);
            return scrypt;
        }
        if (kdf.isObject() && kdf.size() == 1 && kdf.get("PBKDF2") instanceof ObjectNode p) {
            var pbkdf2 = new KeyDerivation.Pbkdf2Sha256(number(p, "iter"), salt(p));
            pbkdf2.check(name);
            return pbkdf2;
        }
        throw wrong("member 'kdf' must be null, {\"Scrypt\": ...} or {\"PBKDF2\": ...}");
    }

    private byte[] salt(JsonNode parameters) throws FormatException {
        byte[] salt = base64(parameters, "salt");
        if (salt.length > MAX_SALT_BYTES) {
            throw wrong("member 'salt' has " + salt.length + " bytes");
        }
        return salt;
    }

    private int number(JsonNode object, String member) throws FormatException {
        JsonNode node = object.get(member);
        if (node == null || !node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
            throw wrong("member '" + member + "' must be a whole number from 0 to 2147483647");
        }
        return node.intValue();
    }

    private byte[] base64(JsonNode object, String member) throws FormatException {
        try {
            return Base64.getDecoder().decode(text(object, member));
        } catch (IllegalArgumentException e) {
            throw wrong("member '" + member + "' must be base64");
        }
    }

    private OffsetDateTime time(String member) throws FormatException {
        try {
            return OffsetDateTime.parse(text(file, member)).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeException e) {
            throw wrong("member '" + member + "' must be a time like 2026-01-31T12:00:00+01:00");
        }
    }

    private String text(JsonNode object, String member) throws FormatException {
        JsonNode node = object.get(member);
        if (node == null || !node.isString()) {
            throw wrong("member '" + member + "' must be text");
        }
        return node.stringValue();
    }

    private @Nullable String optionalText(String member) throws FormatException {
        JsonNode node = file.get(member);
        return node == null || node.isNull() ? null : text(file, member);
    }

    private FormatException wrong(String reason) {
        return new FormatException(name, name + " is no valid key file: " + reason);
    }

    static byte[] write(KeyFile key) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        KeyDerivation derivation = key.derivation();
        if (derivation instanceof KeyDerivation.Scrypt scrypt) {
            ObjectNode parameters = root.putObject("kdf").putObject("Scrypt");
            parameters.put("n", scrypt.n()).put("r", scrypt.r()).put("p", scrypt.p());
            parameters.put("salt", Base64.getEncoder().encodeToString(scrypt.salt()));
        } else if (derivation instanceof KeyDerivation.Pbkdf2Sha256 pbkdf2) {
            ObjectNode parameters = root.putObject("kdf").putObject("PBKDF2");
            parameters.put("iter", pbkdf2.iterations());
            parameters.put("salt", Base64.getEncoder().encodeToString(pbkdf2.salt()));
        } else {
            root.putNull("kdf");
        }
        root.put("created", TIME.format(key.created()));
        root.put("modified", TIME.format(key.modified()));
        root.put("data", Base64.getEncoder().encodeToString(key.data()));
        key.fingerprint().ifPresent(fingerprint -> root.put("fingerprint", fingerprint));
        key.hint().ifPresent(hint -> root.put("hint", hint));
        return MAPPER.writeValueAsBytes(root);
    }
}
