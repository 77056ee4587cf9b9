package dev.holdfast.testkit.gc;

import dev.holdfast.api.model.ChunkDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** Bytes of indexes and manifests, made without the code that is tested. */
final class Indexes {

    static final int CHUNK_SIZE = 65536;

    private Indexes() {}

    /** A digest whose first two bytes are the prefix, and which is the SHA-256 of nothing in particular. */
    static ChunkDigest digest(int number) {
        return ChunkDigest.of(sha(("chunk " + number).getBytes(StandardCharsets.UTF_8)));
    }

    static byte[] index(String name, ChunkDigest... digests) {
        return name.endsWith(".fidx") ? fixed(digests) : dynamic(digests);
    }

    static byte[] fixed(ChunkDigest... digests) {
        ByteBuffer buffer = header(4096 + 32 * digests.length, "2f7f41ed91fd0fcd");
        for (int i = 0; i < digests.length; i++) {
            digests[i].copyTo(buffer.array(), 4096 + 32 * i);
        }
        buffer.putLong(64, (long) CHUNK_SIZE * digests.length);
        buffer.putLong(72, CHUNK_SIZE);
        return sealed(buffer);
    }

    static byte[] dynamic(ChunkDigest... digests) {
        ByteBuffer buffer = header(4096 + 40 * digests.length, "1c914ea519bab3cd");
        for (int i = 0; i < digests.length; i++) {
            buffer.putLong(4096 + 40 * i, (i + 1L) * CHUNK_SIZE);
            digests[i].copyTo(buffer.array(), 4096 + 40 * i + 8);
        }
        return sealed(buffer);
    }

    private static ByteBuffer header(int length, String magic) {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(HexFormat.of().parseHex(magic));
        return buffer;
    }

    /** Puts the checksum over the records into the header. */
    static byte[] sealed(ByteBuffer buffer) {
        byte[] bytes = buffer.array();
        System.arraycopy(sha(Arrays.copyOfRange(bytes, 4096, bytes.length)), 0, bytes, 32, 32);
        return bytes;
    }

    /** Writes a snapshot: its indexes, and a manifest that lists them. */
    static void snapshot(Path directory, Map<String, ChunkDigest[]> archives) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        archives.forEach((name, digests) -> files.put(name, index(name, digests)));
        Files.createDirectories(directory);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(directory.resolve(file.getKey()), file.getValue());
        }
        Files.write(directory.resolve("index.json.blob"), manifest(directory, files));
    }

    static byte[] manifest(Path directory, Map<String, byte[]> files) {
        StringBuilder list = new StringBuilder();
        files.forEach((name, content) -> {
            int record = name.endsWith(".fidx") ? 32 : 40;
            long size = (long) CHUNK_SIZE * ((content.length - 4096) / record);
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"crypt-mode\":\"none\",\"csum\":\"")
                    .append(HexFormat.of().formatHex(content, 32, 64))
                    .append("\",\"filename\":\"")
                    .append(name)
                    .append("\",\"size\":")
                    .append(size)
                    .append('}');
        });
        String json = "{\"backup-id\":\"" + directory.getParent().getFileName() + "\",\"backup-time\":"
                + java.time.Instant.parse(directory.getFileName().toString()).getEpochSecond() + ",\"backup-type\":\""
                + directory.getParent().getParent().getFileName() + "\",\"files\":[" + list
                + "],\"signature\":null,\"unprotected\":{}}";
        return blob(json.getBytes(StandardCharsets.UTF_8));
    }

    /** A plain, uncompressed blob. */
    static byte[] blob(byte[] data) {
        CRC32 crc = new CRC32();
        crc.update(data);
        return ByteBuffer.allocate(12 + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(HexFormat.of().parseHex("42ab3807be8370a1"))
                .putInt((int) crc.getValue())
                .put(data)
                .array();
    }

    private static byte[] sha(byte[] data) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
