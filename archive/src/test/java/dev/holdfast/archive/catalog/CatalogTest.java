package dev.holdfast.archive.catalog;

import static dev.holdfast.archive.Vectors.hex;
import static dev.holdfast.archive.Vectors.unhex;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class CatalogTest {

    private static final String[] GOLDEN = {"catalog-empty", "catalog-tiny", "catalog-full"};

    private static byte[] golden(String name) {
        return Vectors.bytes("catalog/" + name + ".pcat1");
    }

    /** Blocks by position, as the description lists them. */
    private static Map<Long, JsonNode> blocks(JsonNode json) {
        Map<Long, JsonNode> blocks = new HashMap<>();
        json.get("blocks").forEach(b -> blocks.put(b.get("start").asLong(), b));
        return blocks;
    }

    private static void compare(CatalogReader reader, CatalogReader.Block block, Map<Long, JsonNode> blocks)
            throws IOException {
        for (JsonNode wanted : blocks.get(block.start()).get("entries")) {
            CatalogEntry entry = block.next();
            assertThat(entry).isNotNull();
            assertThat(entry.type().letter())
                    .isEqualTo(wanted.get("type").asString().charAt(0));
            assertThat(hex(entry.name())).isEqualTo(wanted.get("name_hex").asString());
            if (entry.type() == CatalogType.FILE) {
                assertThat(entry.size()).isEqualTo(wanted.get("size").asLong());
                assertThat(entry.mtime()).isEqualTo(wanted.get("mtime").asLong());
            } else if (entry.type() == CatalogType.DIRECTORY) {
                assertThat(entry.block()).isEqualTo(wanted.get("start").asLong());
                compare(reader, reader.directory(entry), blocks);
            }
        }
        assertThat(block.next()).isNull();
    }

    private static void write(CatalogWriter writer, JsonNode block, Map<Long, JsonNode> blocks, boolean root)
            throws IOException {
        for (JsonNode entry : block.get("entries")) {
            byte[] name = unhex(entry.get("name_hex").asString());
            CatalogType type = CatalogType.of(entry.get("type").asString().charAt(0));
            assertThat(type).isNotNull();
            if (type == CatalogType.DIRECTORY) {
                if (root) {
                    writer.startArchive(name);
                } else {
                    writer.startDirectory(name);
                }
                write(writer, blocks.get(entry.get("start").asLong()), blocks, false);
                writer.endDirectory();
            } else if (type == CatalogType.FILE) {
                writer.file(name, entry.get("size").asLong(), entry.get("mtime").asLong());
            } else {
                writer.entry(type, name);
            }
        }
    }

    private static void walk(CatalogReader reader, CatalogReader.Block block, int depth) throws IOException {
        assertThat(depth).isLessThan(100);
        for (CatalogEntry entry = block.next(); entry != null; entry = block.next()) {
            if (entry.type() == CatalogType.DIRECTORY) {
                assertThat(entry.block()).isLessThan(block.start());
                walk(reader, reader.directory(entry), depth + 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"catalog-empty", "catalog-tiny", "catalog-full"})
    void goldenCatalogue_isReadAsDescribed(String name) throws IOException {
        CatalogReader reader = CatalogReader.open(new ArrayByteSource(golden(name)));
        JsonNode json = Vectors.json("catalog/" + name + ".json");
        assertThat(reader.root().start()).isEqualTo(json.get("root_start").asLong());
        compare(reader, reader.root(), blocks(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"catalog-empty", "catalog-tiny", "catalog-full"})
    void sameEntries_giveTheGoldenBytes(String name) throws IOException {
        JsonNode json = Vectors.json("catalog/" + name + ".json");
        Map<Long, JsonNode> blocks = blocks(json);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CatalogWriter writer = new CatalogWriter(out);
        write(writer, blocks.get(json.get("root_start").asLong()), blocks, true);
        writer.finish();
        assertThat(hex(out.toByteArray())).isEqualTo(hex(golden(name)));
    }

    @Test
    void path_isLookedUpAcrossBlocks() throws IOException {
        CatalogReader reader = CatalogReader.open(new ArrayByteSource(golden("catalog-tiny")));
        CatalogEntry file = reader.lookup("/tiny.pxar.didx/dir//inner.txt/".getBytes(UTF_8));
        assertThat(file).isNotNull();
        assertThat(file.size()).isEqualTo(6);
        assertThat(file.mtime()).isEqualTo(1700000101);
        assertThat(reader.lookup("/tiny.pxar.didx/link/x".getBytes(UTF_8))).isNull();
        assertThat(reader.lookup("/tiny".getBytes(UTF_8))).isNull();
    }

    @Test
    void numbers_haveTheBytesOfTheVectors() {
        JsonNode json = Vectors.json("catalog/varint.json");
        byte[] buffer = new byte[16];
        for (JsonNode n : json.get("unsigned")) {
            long value = Long.parseUnsignedLong(n.get("value").asString());
            int length = VarInt.putUnsigned(value, buffer, 0);
            assertThat(hex(Arrays.copyOf(buffer, length)))
                    .isEqualTo(n.get("hex").asString());
            assertThat(VarInt.unsignedLength(value)).isEqualTo(length);
        }
        for (JsonNode n : json.get("signed")) {
            int length = VarInt.putSigned(Long.parseLong(n.get("value").asString()), buffer, 0);
            assertThat(hex(Arrays.copyOf(buffer, length)))
                    .isEqualTo(n.get("hex").asString());
        }
    }

    /** A catalogue of one file with these bytes in place of size and time. */
    private static CatalogEntry fileWith(String numbersHex) throws IOException {
        byte[] numbers = unhex(numbersHex);
        byte[] head = unhex("91fd60f9c46758d5");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head);
        out.write(4 + numbers.length);
        out.writeBytes(unhex("01660161"));
        out.writeBytes(numbers);
        out.writeBytes(unhex("0800000000000000"));
        return CatalogReader.open(new ArrayByteSource(out.toByteArray())).root().next();
    }

    @Test
    void numbersOfTheVectors_areReadBack() throws IOException {
        JsonNode json = Vectors.json("catalog/varint.json");
        for (JsonNode n : json.get("unsigned")) {
            assertThat(fileWith(n.get("hex").asString() + "00").size())
                    .isEqualTo(Long.parseUnsignedLong(n.get("value").asString()));
        }
        for (JsonNode n : json.get("signed")) {
            assertThat(fileWith("00" + n.get("hex").asString()).mtime())
                    .isEqualTo(Long.parseLong(n.get("value").asString()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ffffffffffffffffffff0100", // size of 11 bytes
                "00ffffffffffffffffffff01", // time with an eleventh byte that is not the end
                "0000ff", // bytes left
                "00", // no time
                "80", // size without end
            })
    void malformedNumber_isRefused(String numbers) {
        assertThatThrownBy(() -> fileWith(numbers)).isInstanceOf(ArchiveFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "91fd60f9c46758d4" + "0100" + "0800000000000000", // magic
                "91fd60f9c46758d5" + "0100" + "0700000000000000", // root before the first block
                "91fd60f9c46758d5" + "0100" + "0a00000000000000", // root at the tail
                "91fd60f9c46758d5" + "0100" + "ffffffffffffffff",
                "91fd60f9c46758d5" + "0000" + "0800000000000000", // table length 0
                "91fd60f9c46758d5" + "0200" + "0800000000000000", // table beyond the end
                "91fd60f9c46758d5" + "020000" + "0800000000000000", // a byte left
                "91fd60f9c46758d5" + "0401780161" + "0800000000000000", // type x
                "91fd60f9c46758d5" + "050164016100" + "0800000000000000", // distance 0
                "91fd60f9c46758d5" + "050164016101" + "0800000000000000", // before the first block
                "91fd60f9c46758d5" + "05016cffff7f00" + "0800000000000000", // name too long
                "91fd60f9c46758d5" + "0affffffffffffffff7f" + "00" + "0800000000000000", // count without entries
                "91fd60f9c46758d5",
            })
    void damagedTwin_isRefused(String hex) {
        assertThatThrownBy(() -> {
                    CatalogReader reader = CatalogReader.open(new ArrayByteSource(unhex(hex)));
                    walk(reader, reader.root(), 0);
                })
                .isInstanceOf(ArchiveFormatException.class);
    }

    @Property(tries = 1500)
    void flippedOrCutCatalogue_isReadOrRefused(
            @ForAll long seed, @ForAll @IntRange(max = 2) int which, @ForAll @IntRange(max = 4) int flips)
            throws IOException {
        Random random = new Random(seed);
        byte[] bytes = golden(GOLDEN[which]);
        if (flips == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        for (int i = 0; i < flips; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        try {
            CatalogReader reader = CatalogReader.open(new ArrayByteSource(bytes));
            walk(reader, reader.root(), 0);
        } catch (ArchiveFormatException e) {
            assertThat(e.offset()).isBetween(0L, (long) bytes.length);
        }
    }
}
