package dev.holdfast.datastore.blob;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden files: bytes in the formats of Proxmox Backup Server, and {@code vectors.json}, which describes each. */
public final class Vectors {

    /** The data key of all vectors: 00 01 ... 1f. */
    public static final CryptConfig KEY = CryptConfig.of(rawKey());

    private Vectors() {}

    public static byte[] rawKey() {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        return key;
    }

    public static byte[] bytes(String file) {
        try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + file)) {
            if (in == null) {
                throw new IllegalStateException("no such vector: " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    public static JsonNode description() {
        return JsonMapper.shared().readTree(bytes("vectors.json"));
    }

    /** The descriptions of the files of one kind. */
    public static List<JsonNode> files(String kind) {
        List<JsonNode> result = new ArrayList<>();
        for (JsonNode file : description().get("files")) {
            if (file.get("kind").asString().equals(kind)) {
                result.add(file);
            }
        }
        return result;
    }

    public static byte[] unhex(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
