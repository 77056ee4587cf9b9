package dev.holdfast.archive.pxar;

import static dev.holdfast.archive.Vectors.hex;
import static dev.holdfast.archive.Vectors.unhex;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PxarGoldenTest {

    private static final Map<String, EntryKind> KINDS = Map.of(
            "directory", EntryKind.DIRECTORY,
            "file", EntryKind.FILE,
            "symlink", EntryKind.SYMLINK,
            "hardlink", EntryKind.HARD_LINK,
            "blockdev", EntryKind.BLOCK_DEVICE,
            "chardev", EntryKind.CHARACTER_DEVICE,
            "fifo", EntryKind.FIFO,
            "socket", EntryKind.SOCKET);

    private static PxarDecoder decoder(Golden golden) throws IOException {
        ByteArrayInputStream archive = new ByteArrayInputStream(golden.archive());
        byte[] payload = golden.payload();
        return payload == null
                ? PxarDecoder.open(archive, PxarLimits.DEFAULT)
                : PxarDecoder.open(archive, new ByteArrayInputStream(payload), PxarLimits.DEFAULT);
    }

    private static PxarReader reader(Golden golden) throws IOException {
        byte[] payload = golden.payload();
        return PxarReader.open(
                new ArrayByteSource(golden.archive()),
                payload == null ? null : new ArrayByteSource(payload),
                PxarLimits.DEFAULT);
    }

    private static void check(PxarEntry entry, JsonNode wanted) {
        assertThat(entry.kind()).isEqualTo(KINDS.get(wanted.get("kind").asString()));
        assertThat(hex(entry.name())).isEqualTo(wanted.get("name_hex").asString());
        if (wanted.has("filename_offset")) {
            assertThat(entry.place().filename())
                    .isEqualTo(wanted.get("filename_offset").asLong());
            assertThat(NameHash.of(entry.name()))
                    .isEqualTo(Long.parseUnsignedLong(
                            wanted.get("name_siphash24").asString().substring(2), 16));
        } else {
            assertThat(entry.isRoot()).isTrue();
        }
        if (entry.place().end() >= 0) {
            assertThat(entry.place().end()).isEqualTo(wanted.get("end_offset").asLong());
        }
        if (entry.kind() != EntryKind.HARD_LINK) {
            assertThat(entry.place().entry())
                    .isEqualTo(wanted.get("entry_offset").asLong());
            assertThat(Rendering.metadata(entry.metadata())).isEqualTo(Rendering.metadata(Golden.metadata(wanted)));
        }
        if (entry.body() instanceof EntryBody.Symlink link) {
            assertThat(new String(link.target(), UTF_8))
                    .isEqualTo(wanted.get("link_target").asString());
        } else if (entry.body() instanceof EntryBody.HardLink link) {
            assertThat(link.distance()).isEqualTo(wanted.get("link_distance").asLong());
        } else if (entry.body() instanceof EntryBody.Device device) {
            assertThat(device.major()).isEqualTo(wanted.get("device_major").asLong());
            assertThat(device.minor()).isEqualTo(wanted.get("device_minor").asLong());
        } else if (entry.body() instanceof EntryBody.File file) {
            assertThat(file.size()).isEqualTo(wanted.get("size").asLong());
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return hex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tiny-v1",
                "empty-v1",
                "full-v1",
                "many-v1",
                "legacy-entry-v1",
                "tiny-v2",
                "tiny-v2-prelude",
                "full-v2"
            })
    void goldenArchive_readFromTheFront_isAsDescribed(String name) throws IOException {
        Golden golden = Golden.load(name);
        PxarDecoder decoder = decoder(golden);
        for (JsonNode wanted : golden.entries()) {
            PxarDecoder.Step step = decoder.next();
            while (step == PxarDecoder.Step.DIRECTORY_END) {
                step = decoder.next();
            }
            assertThat(step).isEqualTo(PxarDecoder.Step.ENTRY);
            check(decoder.entry(), wanted);
            if (decoder.entry().kind() == EntryKind.FILE) {
                assertThat(sha256(decoder.content().readAllBytes()))
                        .isEqualTo(wanted.get("content_sha256").asString());
            }
        }
        PxarDecoder.Step step = decoder.next();
        while (step == PxarDecoder.Step.DIRECTORY_END) {
            step = decoder.next();
        }
        assertThat(step).isEqualTo(PxarDecoder.Step.END);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tiny-v1",
                "empty-v1",
                "full-v1",
                "many-v1",
                "legacy-entry-v1",
                "tiny-v2",
                "tiny-v2-prelude",
                "full-v2"
            })
    void goldenArchive_readByLookUp_isAsDescribed(String name) throws IOException {
        Golden golden = Golden.load(name);
        PxarReader reader = reader(golden);
        List<byte[]> paths = golden.paths();
        int index = 0;
        for (JsonNode wanted : golden.entries()) {
            PxarEntry entry = reader.lookup(paths.get(index++));
            assertThat(entry).as(wanted.get("path").asString()).isNotNull();
            check(entry, wanted);
            if (entry.kind() == EntryKind.FILE) {
                assertThat(sha256(Rendering.all(reader.content(entry))))
                        .isEqualTo(wanted.get("content_sha256").asString());
            } else if (entry.kind() == EntryKind.HARD_LINK) {
                assertThat(reader.target(entry).place().filename())
                        .isEqualTo(wanted.get("link_target_filename_offset").asLong());
            } else if (entry.kind() == EntryKind.DIRECTORY) {
                List<String> names = new ArrayList<>();
                PxarDirectory directory = reader.directory(entry);
                for (long i = 0; i < directory.count(); i++) {
                    names.add(hex(directory.child(i).name()));
                }
                assertThat(names)
                        .isEqualTo(wanted.get("goodbye_order")
                                .valueStream()
                                .map(JsonNode::asString)
                                .toList());
            }
        }
        assertThat(reader.lookup("no/such".getBytes(UTF_8))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny-v1", "full-v1", "many-v1", "full-v2", "tiny-v2-prelude"})
    void streamOfOneEntry_isThatPartOfTheWhole(String name) throws IOException {
        Golden golden = Golden.load(name);
        List<String> whole = Rendering.sequential(decoder(golden));
        PxarReader reader = reader(golden);
        assertThat(Rendering.sequential(reader.stream(reader.root().entry()))).isEqualTo(whole);
        for (byte[] path : golden.paths()) {
            PxarEntry entry = reader.lookup(path);
            assertThat(entry).isNotNull();
            List<String> part = Rendering.sequential(reader.stream(entry));
            int at = 0;
            while (!whole.get(at).startsWith(part.get(0))) {
                at++;
            }
            assertThat(whole.subList(at, at + part.size())).isEqualTo(part);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny-v1", "empty-v1", "full-v1", "many-v1"})
    void encodedTree_equalsTheGoldenArchive(String name) throws IOException {
        Golden golden = Golden.load(name);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        golden.encodeWith(PxarEncoder.version1(out));
        assertThat(hex(out.toByteArray())).isEqualTo(hex(golden.archive()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny-v2", "tiny-v2-prelude", "full-v2"})
    void encodedSplitTree_equalsTheGoldenArchive(String name) throws IOException {
        Golden golden = Golden.load(name);
        JsonNode prelude = golden.json().get("prelude_utf8");
        ByteArrayOutputStream metadata = new ByteArrayOutputStream();
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        golden.encodeWith(PxarEncoder.version2(
                metadata, payload, prelude == null ? null : prelude.asString().getBytes(UTF_8)));
        assertThat(hex(metadata.toByteArray())).isEqualTo(hex(golden.archive()));
        assertThat(payload.toByteArray()).isEqualTo(golden.payload());
        if (prelude != null) {
            assertThat(new String(decoder(golden).prelude(), UTF_8)).isEqualTo(prelude.asString());
        }
    }

    @Test
    void metadataWithoutPayload_canBeListedButNotRead() throws IOException {
        Golden golden = Golden.load("tiny-v2");
        PxarDecoder decoder = PxarDecoder.open(new ByteArrayInputStream(golden.archive()), PxarLimits.DEFAULT);
        int entries = 0;
        while (decoder.next() != PxarDecoder.Step.END) {
            entries++;
        }
        assertThat(entries).isEqualTo(5 + 2);
    }

    static Stream<JsonNode> hashes() {
        return Vectors.json("pxar/siphash.json").get("names").valueStream();
    }

    @Test
    void nameHashes_areThoseOfTheVectors() {
        hashes().forEach(n -> assertThat(
                        Long.toHexString(NameHash.of(unhex(n.get("name_hex").asString()))))
                .isEqualTo(Long.toHexString(
                        Long.parseUnsignedLong(n.get("hash").asString().substring(2), 16))));
        assertThat(hashes().count()).isPositive();
    }

    @Test
    void searchTrees_areThoseOfTheVectors() {
        List<JsonNode> trees =
                Vectors.json("pxar/bst.json").get("permutations").valueStream().toList();
        assertThat(trees).isNotEmpty();
        for (JsonNode tree : trees) {
            assertThat(SearchTree.rankBySlot(tree.get("n").asInt()))
                    .isEqualTo(tree.get("rank_by_slot")
                            .valueStream()
                            .mapToInt(JsonNode::asInt)
                            .toArray());
        }
    }
}
