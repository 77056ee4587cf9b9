package dev.holdfast.datastore.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.Vectors;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The golden indexes: read, and written again byte for byte. */
class IndexVectorsTest {

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path directory;

    private Path golden(String name) throws IOException {
        return Files.write(directory.resolve(name), Vectors.bytes(name));
    }

    private static FixedIndexWriter.Header header(JsonNode expected) {
        return new FixedIndexWriter.Header(
                Vectors.unhex(expected.get("uuid").asString()),
                expected.get("ctime").asLong());
    }

    @Test
    void goldenFixedIndex_hasTheDescribedContent() throws IOException {
        JsonNode expected = Vectors.files("fidx").get(0);
        try (IndexReader index = IndexReader.open(files, golden("tiny.fidx"))) {
            assertThat(index.kind()).isEqualTo(ArchiveName.Kind.FIXED_INDEX);
            assertThat(index.size()).isEqualTo(expected.get("size").asLong());
            assertThat(index.chunkSize()).isEqualTo(expected.get("chunk_size").asLong());
            assertThat(index.createdSeconds()).isEqualTo(expected.get("ctime").asLong());
            assertThat(index.uuid())
                    .isEqualTo(Vectors.unhex(expected.get("uuid").asString()));
            assertThat(index.storedChecksum())
                    .hasToString(expected.get("index_csum").asString());
            assertThat(index.computeChecksum()).isEqualTo(index.storedChecksum());
            index.checkOrder();
            assertThat(index.count()).isEqualTo(2);
            List<String> seen = new ArrayList<>();
            index.forEach(
                    (bytes, offset, start, end) -> seen.add(start + "-" + end + " " + ChunkDigest.of(bytes, offset)));
            for (int i = 0; i < 2; i++) {
                String digest = expected.get("digests").get(i).asString();
                JsonNode range = expected.get("ranges").get(i);
                assertThat(index.digest(i)).hasToString(digest);
                assertThat(index.end(i)).isEqualTo(range.get(1).asLong());
                assertThat(seen.get(i))
                        .isEqualTo(range.get(0).asLong() + "-" + range.get(1).asLong() + " " + digest);
            }
            assertThat(index.recordAt(0)).isZero();
            assertThat(index.recordAt(4194303)).isZero();
            assertThat(index.recordAt(4194304)).isEqualTo(1);
            assertThat(index.recordAt(4194403)).isEqualTo(1);
            assertThat(index.recordAt(4194404)).isEqualTo(-1);
        }
    }

    @Test
    void goldenDynamicIndex_hasTheDescribedContent() throws IOException {
        JsonNode expected = Vectors.files("didx").get(0);
        try (IndexReader index = IndexReader.open(files, golden("tiny.didx"))) {
            assertThat(index.kind()).isEqualTo(ArchiveName.Kind.DYNAMIC_INDEX);
            assertThat(index.size()).isEqualTo(expected.get("size").asLong());
            assertThat(index.chunkSize()).isZero();
            assertThat(index.createdSeconds()).isEqualTo(expected.get("ctime").asLong());
            assertThat(index.storedChecksum())
                    .hasToString(expected.get("index_csum").asString());
            assertThat(index.computeChecksum()).isEqualTo(index.storedChecksum());
            index.checkOrder();
            List<String> seen = new ArrayList<>();
            index.forEach(
                    (bytes, offset, start, end) -> seen.add(start + "-" + end + " " + ChunkDigest.of(bytes, offset)));
            assertThat(seen)
                    .containsExactly("0-1000 " + index.digest(0), "1000-2500 " + index.digest(1))
                    .hasSize((int) index.count());
            for (int i = 0; i < 2; i++) {
                JsonNode entry = expected.get("entries").get(i);
                assertThat(index.digest(i)).hasToString(entry.get("digest").asString());
                assertThat(index.end(i)).isEqualTo(entry.get("end").asLong());
            }
            assertThat(index.recordAt(0)).isZero();
            assertThat(index.recordAt(999)).isZero();
            assertThat(index.recordAt(1000)).isEqualTo(1);
            assertThat(index.recordAt(2499)).isEqualTo(1);
            assertThat(index.recordAt(2500)).isEqualTo(-1);
        }
    }

    @Test
    void goldenFixedIndex_isRecreatedByteForByte() throws IOException {
        JsonNode expected = Vectors.files("fidx").get(0);
        Path path = directory.resolve("new.img.fidx");
        long size = expected.get("size").asLong();
        long chunkSize = expected.get("chunk_size").asLong();
        Path stale = Files.write(directory.resolve("new.img.tmp_fidx"), new byte[9999]);
        try (FixedIndexWriter writer =
                FixedIndexWriter.create(files, path, size, chunkSize, header(expected), FileOwner.UNCHANGED)) {
            writer.set(1, ChunkDigest.parse(expected.get("digests").get(1).asString()));
            writer.set(0, ChunkDigest.parse(expected.get("digests").get(0).asString()));
            assertThat(stale).exists();
            assertThat(path).doesNotExist();
            assertThat(writer.finish()).hasToString(expected.get("index_csum").asString());
        }
        assertThat(path).hasBinaryContent(Vectors.bytes("tiny.fidx"));
        assertThat(stale).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-r--r--");
    }

    @Test
    void goldenDynamicIndex_isRecreatedByteForByte() throws IOException {
        JsonNode expected = Vectors.files("didx").get(0);
        Path path = directory.resolve("new.pxar.didx");
        Files.write(directory.resolve("new.pxar.tmp_didx"), new byte[9999]);
        try (DynamicIndexWriter writer =
                DynamicIndexWriter.create(files, path, header(expected), FileOwner.UNCHANGED)) {
            for (JsonNode entry : expected.get("entries")) {
                writer.add(
                        ChunkDigest.parse(entry.get("digest").asString()),
                        entry.get("end").asLong() - writer.size());
            }
            assertThat(writer.finish()).hasToString(expected.get("index_csum").asString());
        }
        assertThat(path).hasBinaryContent(Vectors.bytes("tiny.didx"));
        assertThat(directory.resolve("new.pxar.tmp_didx")).doesNotExist();
    }
}
