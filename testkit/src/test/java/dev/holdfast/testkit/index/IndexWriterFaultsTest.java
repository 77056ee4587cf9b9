package dev.holdfast.testkit.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.DynamicIndexWriter;
import dev.holdfast.datastore.index.FixedIndexWriter;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An index that cannot be written to its end: an error that keeps its cause, and no file left behind. */
class IndexWriterFaultsTest {

    private static final FixedIndexWriter.Header HEADER = new FixedIndexWriter.Header(new byte[16], 1);
    private static final ChunkDigest DIGEST = ChunkDigest.parse("ab".repeat(32));

    @TempDir
    Path directory;

    private void writeFixed(PosixFiles files, FileOwner owner) throws DatastoreException {
        try (FixedIndexWriter writer =
                FixedIndexWriter.create(files, directory.resolve("a.img.fidx"), 200, 64, HEADER, owner)) {
            for (int i = 0; i < 4; i++) {
                writer.set(i, DIGEST);
            }
            writer.finish();
        }
    }

    private void writeDynamic(PosixFiles files, FileOwner owner) throws DatastoreException {
        try (DynamicIndexWriter writer =
                DynamicIndexWriter.create(files, directory.resolve("a.pxar.didx"), HEADER, owner)) {
            writer.add(DIGEST, 5);
            writer.finish();
        }
    }

    /** Write 1 is the empty header, 2 the records, 3 the header with the checksum. */
    @ParameterizedTest
    @CsvSource({
        "CREATE, 1, EACCES",
        "WRITE, 1, ENOSPC",
        "WRITE, 2, ENOSPC",
        "WRITE, 3, EIO",
        "CLOSE, 1, EIO",
        "RENAME, 1, EIO",
        "CHANGE_OWNER, 1, EPERM"
    })
    void failedCall_leavesNothing(PosixOperation operation, int nth, Errno errno) throws IOException {
        FileOwner owner = new FileOwner(0, 0);
        for (boolean fixed : new boolean[] {true, false}) {
            FaultPlan plan = new FaultPlan().fail(operation, nth, "", errno);
            PosixFiles files = new FaultyPosixFiles(JnrPosixFiles.load(), plan);
            assertThatThrownBy(() -> {
                        if (fixed) {
                            writeFixed(files, owner);
                        } else {
                            writeDynamic(files, owner);
                        }
                    })
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(fixed ? "a.img.fidx" : "a.pxar.didx")
                    .hasCauseInstanceOf(PosixException.class);
            plan.assertAllHit();
            try (var left = Files.list(directory)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void recordsThatCannotBeReadBack_areAnError() throws IOException {
        FaultPlan plan = new FaultPlan().fail(PosixOperation.READ, 2, "tmp_fidx", Errno.EIO);
        assertThatThrownBy(() -> writeFixed(new FaultyPosixFiles(JnrPosixFiles.load(), plan), FileOwner.UNCHANGED))
                .isExactlyInstanceOf(DatastoreException.class);
        plan.assertAllHit();
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void indexMadeAsRoot_belongsToTheOwnerOfTheStore() throws IOException {
        PosixFiles files = JnrPosixFiles.load();
        assumeTrue(files.effectiveUid() == 0, "only root may give files away");
        writeFixed(files, new FileOwner(34, 35));
        writeDynamic(files, new FileOwner(34, 35));
        for (String name : Arrays.asList("a.img.fidx", "a.pxar.didx")) {
            assertThat(Files.getAttribute(directory.resolve(name), "unix:uid")).isEqualTo(34);
            assertThat(Files.getAttribute(directory.resolve(name), "unix:gid")).isEqualTo(35);
        }
    }
}
