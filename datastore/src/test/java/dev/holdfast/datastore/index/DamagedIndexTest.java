package dev.holdfast.datastore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.Vectors;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Twins of the golden indexes, each with one thing wrong. */
class DamagedIndexTest {

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path directory;

    private Path write(String name, byte[] content) throws IOException {
        return Files.write(directory.resolve(name), content);
    }

    private Path twin(String name, int length, Consumer<ByteBuffer> change) throws IOException {
        byte[] bytes = Arrays.copyOf(Vectors.bytes(name), length);
        change.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        return write(name, bytes);
    }

    private void assertRefused(Path path) {
        long before = allocatedBytes();
        long start = System.nanoTime();
        assertThatThrownBy(() -> IndexReader.open(files, path))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(path.toString());
        // Generous: the point is that no header makes it read, loop or allocate.
        assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
        assertThat(allocatedBytes() - before).isLessThan(10 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny.fidx", "tiny.didx"})
    void fileShorterThanItsHeader_isRefused(String name) throws IOException {
        for (int length : new int[] {0, 1, 7, 8, 64, 4095}) {
            assertRefused(twin(name, length, b -> {}));
        }
    }

    @Test
    void cutFixedIndex_isRefusedAtEveryLength() throws IOException {
        for (int length = 4096; length < 4160; length++) {
            assertRefused(twin("tiny.fidx", length, b -> {}));
        }
        assertRefused(twin("tiny.fidx", 4160 + 3, b -> {}));
        assertRefused(twin("tiny.fidx", 4160 + 32, b -> {}));
    }

    @Test
    void cutDynamicIndex_isRefusedUnlessItEndsWithARecord() throws IOException {
        for (int length = 4096; length < 4176; length++) {
            if (length != 4136) {
                assertRefused(twin("tiny.didx", length, b -> {}));
            }
        }
        assertRefused(twin("tiny.didx", 4176 + 3, b -> {}));
        // A whole record less: only the checksum knows.
        try (IndexReader index = IndexReader.open(files, twin("tiny.didx", 4136, b -> {}))) {
            assertThat(index.count()).isEqualTo(1);
            assertThat(index.computeChecksum()).isNotEqualTo(index.storedChecksum());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, Long.MIN_VALUE, -1, 4194303, 1L << 62, 8388608, 2097152})
    void otherChunkSize_isRefused(long chunkSize) throws IOException {
        assertRefused(twin("tiny.fidx", 4160, b -> b.putLong(72, chunkSize)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 4194304, 8388609})
    void otherSize_isRefused(long size) throws IOException {
        assertRefused(twin("tiny.fidx", 4160, b -> b.putLong(64, size)));
    }

    @Test
    void indexWithoutRecords_isRefused() throws IOException {
        assertRefused(twin("tiny.fidx", 4096, b -> b.putLong(64, 0)));
        assertRefused(twin("tiny.didx", 4096, b -> {}));
    }

    @Test
    void largestHeaderThatAgreesWithItsLength_overflowsNowhere() throws IOException {
        Path path = twin("tiny.fidx", 4160, b -> b.putLong(64, Long.MAX_VALUE).putLong(72, 1L << 62));
        try (IndexReader index = IndexReader.open(files, path)) {
            assertThat(index.end(0)).isEqualTo(1L << 62);
            assertThat(index.end(1)).isEqualTo(Long.MAX_VALUE);
            assertThat(index.recordAt(Long.MAX_VALUE - 1)).isEqualTo(1);
            assertThat(index.recordAt(Long.MAX_VALUE)).isEqualTo(-1);
        }
    }

    @Test
    void foreignMagic_isRefused() throws IOException {
        assertRefused(write("a.fidx", Vectors.bytes("tiny.didx")));
        assertRefused(write("a.didx", Vectors.bytes("tiny.fidx")));
        assertRefused(write("b.fidx", new byte[5000]));
        assertRefused(write("c.txt", Vectors.bytes("tiny.fidx")));
    }

    /** Every bit of header and records: refused at open, or found by the checksum, or in a field that nobody relies on. */
    @ParameterizedTest
    @ValueSource(strings = {"tiny.fidx", "tiny.didx"})
    void everyFlippedBit_isFoundOrHarmless(String name) throws IOException {
        byte[] whole = Vectors.bytes(name);
        boolean fixed = name.endsWith("fidx");
        for (int bit = 0; bit < whole.length * 8; bit++) {
            int at = bit / 8;
            if (at > 88 && at < 4088) {
                continue; // Reserved, and read by nobody; its two ends are enough.
            }
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (bit % 8));
            Path path = write(name, flipped);
            boolean magic = at < 8;
            boolean informational = (at >= 8 && at < 32) || (at >= (fixed ? 80 : 64) && at < 4096);
            if (magic || (fixed && at >= 72 && at < 80)) {
                assertRefused(path);
                continue;
            }
            if (fixed && at >= 64 && at < 72) {
                // A size that still takes two chunks passes here: only the manifest's size tells.
                assertSizeChangedOrRefused(path);
                continue;
            }
            try (IndexReader index = IndexReader.open(files, path)) {
                boolean same = index.computeChecksum().equals(index.storedChecksum());
                assertThat(same).as("bit %d", bit).isEqualTo(informational);
            }
        }
    }

    private void assertSizeChangedOrRefused(Path path) {
        try (IndexReader index = IndexReader.open(files, path)) {
            assertThat(index.size()).isNotEqualTo(4194404).isBetween(4194305L, 8388608L);
        } catch (DatastoreException e) {
            assertThat(e).isInstanceOf(FormatException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1000, 999, 0, -1, Long.MIN_VALUE})
    void endsThatDoNotGrow_openButFailTheCheckOfOrder(long end) throws IOException {
        try (IndexReader index = IndexReader.open(files, twin("tiny.didx", 4176, b -> b.putLong(4136, end)))) {
            // The collector still marks both digests.
            int[] seen = {0};
            index.forEach((bytes, offset, from, to) -> seen[0]++);
            assertThat(seen[0]).isEqualTo(2);
            assertThatThrownBy(index::checkOrder).isInstanceOf(FormatException.class);
            if (end <= 0) {
                assertThatThrownBy(index::size).isInstanceOf(FormatException.class);
                assertThatThrownBy(() -> index.recordAt(5)).isInstanceOf(FormatException.class);
            } else {
                assertThat(index.recordAt(0)).isBetween(0L, 1L);
            }
        }
    }

    @Test
    void firstEndOfZero_failsTheCheckOfOrder() throws IOException {
        try (IndexReader index = IndexReader.open(files, twin("tiny.didx", 4176, b -> b.putLong(4096, 0)))) {
            assertThatThrownBy(index::checkOrder).isInstanceOf(FormatException.class);
        }
    }

    @Test
    void absentIndex_isMissing() {
        assertThatThrownBy(() -> IndexReader.open(files, directory.resolve("a.fidx")))
                .isInstanceOf(SnapshotMissingException.class);
        assertThatThrownBy(() -> IndexReader.open(files, directory.resolve("no/a.didx")))
                .isInstanceOf(SnapshotMissingException.class);
    }

    @Test
    void whatIsNoRegularFile_isRefusedWithoutBlocking() throws IOException, InterruptedException {
        assertRefused(Files.createDirectory(directory.resolve("d.fidx")));
        Path fifo = directory.resolve("f.didx");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        assertRefused(fifo);
    }

    @ParameterizedTest
    @EnumSource(names = {"EACCES", "EIO", "ESTALE", "ENOTDIR", "EMFILE"})
    void indexThatCannotBeOpened_isNeitherMissingNorDamaged(Errno errno) throws IOException {
        Path path = write("a.fidx", Vectors.bytes("tiny.fidx"));
        PosixFiles failing = failing(files, PosixFiles.class, "openForReading", errno);
        assertThatThrownBy(() -> IndexReader.open(failing, path)).satisfies(e -> isUnreadable(e, errno));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stat", "read"})
    void indexThatCannotBeRead_isNeitherMissingNorDamaged(String call) throws IOException {
        Path path = write("a.fidx", Vectors.bytes("tiny.fidx"));
        try (ReadableFile file = files.openForReading(path)) {
            ReadableFile bad = failing(file, ReadableFile.class, call, Errno.EIO);
            PosixFiles failing = proxy(
                    PosixFiles.class,
                    (method, arguments) ->
                            method.getName().equals("openForReading") ? bad : method.invoke(files, arguments));
            assertThatThrownBy(() -> IndexReader.open(failing, path)).satisfies(e -> isUnreadable(e, Errno.EIO));
        }
    }

    private interface Call {
        @Nullable
        Object run(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T failing(T target, Class<T> type, String call, Errno errno) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().equals(call)) {
                throw new PosixException(call, "/store/a.fidx", errno.number());
            }
            return method.invoke(target, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.run(method, arguments)));
    }

    @Test
    void linkInALoop_isNeitherMissingNorDamaged() throws IOException {
        Path path = directory.resolve("a.fidx");
        Files.createSymbolicLink(path, path);
        assertThatThrownBy(() -> IndexReader.open(files, path)).satisfies(e -> isUnreadable(e, Errno.ELOOP));
    }

    private static void isUnreadable(Throwable e, Errno errno) {
        assertThat(e).isExactlyInstanceOf(DatastoreException.class).hasMessageContaining("a.fidx");
        assertThat(e.getCause())
                .isInstanceOfSatisfying(
                        PosixException.class, cause -> assertThat(cause.errno()).isEqualTo(errno));
    }

    @Test
    void recordNumberOutOfRange_isRefused() throws IOException {
        for (String name : new String[] {"tiny.fidx", "tiny.didx"}) {
            try (IndexReader index = IndexReader.open(files, write(name, Vectors.bytes(name)))) {
                for (long record : new long[] {-1, 2, Long.MAX_VALUE}) {
                    assertThatThrownBy(() -> index.digest(record)).isInstanceOf(IndexOutOfBoundsException.class);
                    assertThatThrownBy(() -> index.end(record)).isInstanceOf(IndexOutOfBoundsException.class);
                }
                assertThatThrownBy(() -> index.recordAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void indexThatShrinksWhileOpen_isAnError() throws IOException {
        Path path = write("a.didx", Vectors.bytes("tiny.didx"));
        try (IndexReader index = IndexReader.open(files, path)) {
            write("a.didx", new byte[10]);
            assertThatThrownBy(index::computeChecksum).isInstanceOf(FormatException.class);
            assertThatThrownBy(() -> index.digest(1)).isInstanceOf(FormatException.class);
        }
    }

    @Test
    void indexThatIsDeletedWhileOpen_staysReadable() throws IOException {
        Path path = write("a.didx", Vectors.bytes("tiny.didx"));
        try (IndexReader index = IndexReader.open(files, path)) {
            Files.delete(path);
            assertThat(index.computeChecksum()).isEqualTo(index.storedChecksum());
            assertThat(index.digest(0)).isNotEqualTo(ChunkDigest.of(new byte[32]));
        }
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
