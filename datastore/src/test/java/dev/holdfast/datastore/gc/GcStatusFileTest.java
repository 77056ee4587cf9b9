package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.status.GarbageCollectionStatus;
import dev.holdfast.api.status.GarbageCollectionStatus.CacheStats;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcStatusFileTest {

    private static final String REQUIRED =
            "{\"upid\":null,\"index-file-count\":1,\"index-data-bytes\":2,\"disk-bytes\":3,\"disk-chunks\":4,"
                    + "\"removed-bytes\":5,\"removed-chunks\":6,\"pending-bytes\":7,\"pending-chunks\":8,"
                    + "\"removed-bad\":9,\"still-bad\":10}";

    @TempDir
    Path base;

    private final PosixFiles files = JnrPosixFiles.load();
    private DatastoreLayout layout;

    @BeforeEach
    void layout() {
        layout = new DatastoreLayout(base);
    }

    @Test
    void savedStatus_isLoadedAgain() throws IOException {
        GarbageCollectionStatus status = new GarbageCollectionStatus(
                Optional.of("UPID:x"), 1, 1L << 60, 3, 4, 5, 6, 7, 8, 9, 10, Optional.of(new CacheStats(11, 12)));

        GcStatusFile.save(files, layout, FileOwner.UNCHANGED, status);

        assertThat(GcStatusFile.load(files, layout)).contains(status);
        assertThat(Files.readString(base.resolve(".gc-status")))
                .doesNotContain(" ", "\n")
                .startsWith("{\"upid\":\"UPID:x\",\"index-file-count\":1");
    }

    @Test
    void statusOfAnOlderRelease_isLoaded() throws IOException {
        Files.writeString(base.resolve(".gc-status"), REQUIRED.replace("}", ",\"unknown\":true}"));

        GarbageCollectionStatus status = GcStatusFile.load(files, layout).orElseThrow();

        assertThat(status.stillBad()).isEqualTo(10);
        assertThat(status.upid()).isEmpty();
        assertThat(status.cacheStats()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "{}", "\u0000\u0000", "{\"upid\":null,\"index-file-count\":\"x\"}"})
    void statusThatDoesNotParse_countsAsNone(String content) throws IOException {
        Files.writeString(base.resolve(".gc-status"), content);

        assertThat(GcStatusFile.load(files, layout)).isEmpty();
    }

    @Test
    void statusThatLacksAKey_countsAsNone() throws IOException {
        Files.writeString(base.resolve(".gc-status"), REQUIRED.replace("\"still-bad\":10", "\"other\":10"));

        assertThat(GcStatusFile.load(files, layout)).isEmpty();
    }

    @Test
    void missingFile_isNoStatus() throws IOException {
        assertThat(GcStatusFile.load(files, layout)).isEmpty();
    }

    @Test
    void directoryInItsPlace_isNoStatusAndCannotBeReplaced() throws IOException {
        Files.createDirectory(base.resolve(".gc-status"));

        assertThat(GcStatusFile.load(files, layout)).isEmpty();
        assertThatThrownBy(() -> GcStatusFile.save(
                        files,
                        layout,
                        FileOwner.UNCHANGED,
                        new GarbageCollectionStatus(Optional.empty(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty())))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining(".gc-status");
    }
}
