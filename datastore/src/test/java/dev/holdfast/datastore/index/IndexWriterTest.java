package dev.holdfast.datastore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexWriterTest {

    private static final FixedIndexWriter.Header HEADER = new FixedIndexWriter.Header(new byte[16], 1_700_000_000L);
    private static final ChunkDigest DIGEST = digest(new Random(1));

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path directory;

    private static ChunkDigest digest(Random random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return ChunkDigest.of(bytes);
    }

    private FixedIndexWriter fixed(long size, long chunkSize) throws DatastoreException {
        return FixedIndexWriter.create(
                files, directory.resolve("a.img.fidx"), size, chunkSize, HEADER, FileOwner.UNCHANGED);
    }

    private DynamicIndexWriter dynamic() throws DatastoreException {
        return DynamicIndexWriter.create(files, directory.resolve("a.pxar.didx"), HEADER, FileOwner.UNCHANGED);
    }

    private List<String> names() throws IOException {
        try (var stream = Files.list(directory)) {
            return stream.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void closeWithoutFinish_leavesNothing() throws IOException {
        try (FixedIndexWriter writer = fixed(100, 64)) {
            writer.set(0, DIGEST);
            assertThat(names()).containsExactly("a.img.tmp_fidx");
        }
        try (DynamicIndexWriter writer = dynamic()) {
            writer.add(DIGEST, 5);
            assertThat(names()).containsExactly("a.pxar.tmp_didx");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void recordThatWasNeverSet_isFoundAtTheEnd() throws IOException {
        try (FixedIndexWriter writer = fixed(64 * 20_000, 64)) {
            for (int i = 0; i < 20_000; i++) {
                if (i != 12_345) {
                    writer.set(i, DIGEST);
                }
            }
            assertThatThrownBy(writer::finish)
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("12345");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void emptyIndexes_areRefused() throws IOException {
        assertThatThrownBy(() -> fixed(0, 64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixed(5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixed(5, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixed(5, Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
        try (DynamicIndexWriter writer = dynamic()) {
            assertThatThrownBy(writer::finish).isInstanceOf(DatastoreException.class);
            assertThatThrownBy(() -> writer.add(DIGEST, 0)).isInstanceOf(IllegalArgumentException.class);
            writer.add(DIGEST, Long.MAX_VALUE);
            assertThatThrownBy(() -> writer.add(DIGEST, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void finishedIndex_replacesAnOlderOne() throws IOException {
        for (int length = 1; length <= 2; length++) {
            try (DynamicIndexWriter writer = dynamic()) {
                writer.add(DIGEST, length);
                writer.finish();
            }
        }
        assertThat(names()).containsExactly("a.pxar.didx");
        try (IndexReader index = IndexReader.open(files, directory.resolve("a.pxar.didx"))) {
            assertThat(index.size()).isEqualTo(2);
        }
    }

    @Test
    void useAfterFinish_isRefused() throws IOException {
        DynamicIndexWriter writer = dynamic();
        writer.add(DIGEST, 1);
        writer.finish();
        assertThatThrownBy(() -> writer.add(DIGEST, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
        writer.close();
        writer.close();
        assertThat(names()).containsExactly("a.pxar.didx");
    }

    @Test
    void directoryThatIsNotThere_isAnErrorWithThePath() {
        assertThatThrownBy(() -> FixedIndexWriter.create(
                        files, directory.resolve("no/a.img.fidx"), 5, 4, HEADER, FileOwner.UNCHANGED))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("no/a.img.fidx");
    }

    /** The file is sparse: three billion records, of which the last is set, take one block. */
    @Test
    void recordNumberAboveTwoToThe31_isWrittenAtItsPlace() throws IOException {
        long count = 3_000_000_000L;
        try (FixedIndexWriter writer = fixed(count * 4096, 4096)) {
            writer.set(count - 1, DIGEST);
            writer.set(count - 3000, DIGEST);
            Path temporary = directory.resolve("a.img.tmp_fidx");
            assertThat(Files.size(temporary)).isEqualTo(4096 + (count - 1) * 32 + 32);
            assertThatThrownBy(() -> writer.set(count, DIGEST)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
