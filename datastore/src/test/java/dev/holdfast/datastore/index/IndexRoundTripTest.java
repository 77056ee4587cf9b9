package dev.holdfast.datastore.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What the writers write, the readers read: record by record, through the stream and one by one. */
class IndexRoundTripTest {

    private static final FixedIndexWriter.Header HEADER = new FixedIndexWriter.Header(new byte[16], 1_700_000_000L);

    private final PosixFiles files = JnrPosixFiles.load();

    private static ChunkDigest digest(Random random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return ChunkDigest.of(bytes);
    }

    @Property(tries = 60)
    void fixedIndex_comesBackWhateverTheOrderOfItsRecords(
            @ForAll @IntRange(min = 1, max = 20_000) int count,
            @ForAll @IntRange(min = 0, max = 25) int power,
            @ForAll long seed,
            @ForAll boolean shuffled)
            throws IOException {
        Random random = new Random(seed);
        long chunkSize = 1L << power;
        long size = chunkSize * (count - 1) + 1 + random.nextInt((int) chunkSize);
        List<Integer> order = new ArrayList<>();
        ChunkDigest[] digests = new ChunkDigest[count];
        for (int i = 0; i < count; i++) {
            order.add(i);
            digests[i] = digest(random);
        }
        if (shuffled) {
            Collections.shuffle(order, random);
        }
        Path where = Files.createTempDirectory("index");
        Path path = where.resolve("a.img.fidx");
        ChunkDigest checksum;
        try (FixedIndexWriter writer =
                FixedIndexWriter.create(files, path, size, chunkSize, HEADER, FileOwner.UNCHANGED)) {
            for (int i : order) {
                writer.set(i, digests[i]);
            }
            checksum = writer.finish();
        }
        long[] starts = new long[count + 1];
        for (int i = 1; i <= count; i++) {
            starts[i] = Math.min(size, i * chunkSize);
        }
        assertIsRead(path, checksum, digests, starts, random);
        Files.delete(path);
        Files.delete(where);
    }

    @Property(tries = 60)
    void dynamicIndex_comesBack(@ForAll @IntRange(min = 1, max = 20_000) int count, @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        ChunkDigest[] digests = new ChunkDigest[count];
        long[] starts = new long[count + 1];
        Path where = Files.createTempDirectory("index");
        Path path = where.resolve("a.pxar.didx");
        ChunkDigest checksum;
        try (DynamicIndexWriter writer = DynamicIndexWriter.create(files, path, HEADER, FileOwner.UNCHANGED)) {
            for (int i = 0; i < count; i++) {
                digests[i] = digest(random);
                long length = 1 + random.nextInt(1 << 24);
                writer.add(digests[i], length);
                starts[i + 1] = starts[i] + length;
            }
            assertThat(writer.size()).isEqualTo(starts[count]);
            checksum = writer.finish();
        }
        assertIsRead(path, checksum, digests, starts, random);
        Files.delete(path);
        Files.delete(where);
    }

    private void assertIsRead(Path path, ChunkDigest checksum, ChunkDigest[] digests, long[] starts, Random random)
            throws IOException {
        int count = digests.length;
        try (IndexReader index = IndexReader.open(files, path)) {
            assertThat(index.count()).isEqualTo(count);
            assertThat(index.size()).isEqualTo(starts[count]);
            assertThat(index.storedChecksum()).isEqualTo(checksum);
            assertThat(index.computeChecksum()).isEqualTo(checksum);
            index.checkOrder();
            int[] next = {0};
            byte[] expected = new byte[32];
            index.forEach((bytes, offset, start, end) -> {
                int i = next[0]++;
                digests[i].copyTo(expected, 0);
                if (!Arrays.equals(bytes, offset, offset + 32, expected, 0, 32)
                        || start != starts[i]
                        || end != starts[i + 1]) {
                    throw new AssertionError("record " + i + " differs");
                }
            });
            assertThat(next[0]).isEqualTo(count);
            for (int n = 0; n < 20; n++) {
                int i = random.nextInt(count);
                assertThat(index.digest(i)).isEqualTo(digests[i]);
                assertThat(index.end(i)).isEqualTo(starts[i + 1]);
                assertThat(index.recordAt(starts[i])).isEqualTo(i);
                assertThat(index.recordAt(starts[i + 1] - 1)).isEqualTo(i);
            }
        }
    }
}
