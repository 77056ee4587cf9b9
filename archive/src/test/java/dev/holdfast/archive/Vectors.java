package dev.holdfast.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden files among the test resources. */
public final class Vectors {

    private Vectors() {}

    /** @param name such as {@code pxar/tiny-v1.pxar} */
    public static byte[] bytes(String name) {
        try (InputStream in = Vectors.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no golden file " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    public static JsonNode json(String name) {
        return JsonMapper.shared().readTree(bytes(name));
    }

    public static byte[] unhex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
