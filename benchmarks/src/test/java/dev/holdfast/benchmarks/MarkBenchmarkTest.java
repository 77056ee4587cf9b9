package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether what is measured is what it says: all chunks touched, each once, whichever way. */
class MarkBenchmarkTest {

    private static final int CHUNKS = 40;
    private static final FileTime OLD = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

    @TempDir
    private Path base;

    private Path root;
    private Path list;

    /** A store with only the prefix directories that it needs, and two chunks in some of them. */
    @BeforeEach
    void makeStore() throws IOException, DatastoreException, PosixException {
        root = Files.createDirectories(base.resolve("store"));
        list = base.resolve("list");
        DatastoreLayout layout = new DatastoreLayout(root);
        byte[] digests = new byte[CHUNKS * ChunkDigest.BYTES];
        new SplittableRandom(7).nextBytes(digests);
        System.arraycopy(digests, 0, digests, ChunkDigest.BYTES, 2);
        for (int at = 0; at < digests.length; at += ChunkDigest.BYTES) {
            Path chunk = layout.chunks().resolve(ChunkName.relative(ChunkDigest.of(digests, at)));
            Files.createDirectories(chunk.getParent());
            Files.writeString(chunk, "chunk");
            Files.getFileAttributeView(chunk, BasicFileAttributeView.class).setTimes(null, OLD, null);
        }
        Files.write(list, digests);
        new IndexTree(JnrPosixFiles.load(), layout).write(new DigestList(digests), 2, 3);
    }

    private Run run(String variant, String measure) throws IOException, DatastoreException, PosixException {
        try {
            return MarkBenchmark.once(Options.parse(
                    new String[] {
                        "--root", root.toString(), "--list", list.toString(), "--variant", variant, "--measure", measure
                    },
                    MarkBenchmark.OPTIONS));
        } catch (Variant.UnknownHereException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "direct,gc",
        "batch-list,gc",
        "batch-open,gc",
        "batch,mark",
        "direct,touch",
        "batch-open,touch",
        "batch,touch"
    })
    void everyVariant_touchesEveryChunkOnce(String variant, String measure)
            throws IOException, DatastoreException, PosixException {
        Run run = run(variant, measure);
        assertThat(run.touched()).isEqualTo(CHUNKS);
        assertThat(run.missing()).isZero();
        assertThat(run.references()).isEqualTo(measure.equals("touch") ? 0 : CHUNKS * 3);
        assertThat(oldChunks()).isZero();
    }

    @Test
    void dryRun_touchesNothing() throws IOException, DatastoreException, PosixException {
        assertThat(run("dry-run", "gc").touched()).isZero();
        assertThat(oldChunks()).isEqualTo(CHUNKS);
    }

    @Test
    void missingChunk_isCounted() throws IOException, DatastoreException, PosixException {
        byte[] first = new byte[ChunkDigest.BYTES];
        System.arraycopy(Files.readAllBytes(list), 0, first, 0, first.length);
        Files.delete(root.resolve(".chunks").resolve(ChunkName.relative(ChunkDigest.of(first))));
        assertThat(run("batch-open", "touch").missing()).isEqualTo(1);
        assertThat(run("batch-list", "touch").missing()).isEqualTo(1);
    }

    @Test
    void unknownWords_areRefused() {
        assertThatThrownBy(() -> Variant.parse("quick")).hasMessageContaining("quick");
        assertThatThrownBy(() -> Options.parse(new String[] {"--rot", "x"}, MarkBenchmark.OPTIONS))
                .hasMessageContaining("--rot");
        assertThatThrownBy(() -> run("direct", "speed")).hasMessageContaining("speed");
    }

    private long oldChunks() throws IOException {
        try (var files = Files.walk(root.resolve(".chunks"))) {
            long old = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                BasicFileAttributeView view = Files.getFileAttributeView(file, BasicFileAttributeView.class);
                if (view.readAttributes().lastAccessTime().equals(OLD)) {
                    old++;
                }
            }
            return old;
        }
    }
}
