package dev.holdfast.testkit.gc;

import static dev.holdfast.testkit.gc.GcFixture.T1;
import static dev.holdfast.testkit.gc.GcFixture.T2;
import static dev.holdfast.testkit.gc.Indexes.digest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.gc.GcReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the original collector was seen to do with odd stores, row by row, with what Holdfast does instead where chunks were
 * lost. Each with direct and with batched marking.
 */
@ParameterizedClass
@ValueSource(strings = {"", "gc-marking=mark-set"})
class GcObservedTest {

    @Parameter
    String marking;

    private static final String DIRECT = "gc-cache-capacity=1000";
    private static final String BATCHED = "gc-prefetch-batch-size=1024";
    private static final ChunkDigest C1 = digest(1);
    private static final ChunkDigest C2 = digest(2);
    private static final ChunkDigest C3 = digest(3);
    private static final ChunkDigest GARBAGE = digest(-1);

    @TempDir
    Path temp;

    private GcFixture fixture;

    private void store(String tuning) throws IOException {
        store(tuning, "store");
    }

    private void store(String tuning, String name) throws IOException {
        fixture = new GcFixture(temp.resolve(name));
        fixture.marking = marking;
        fixture.tuning = tuning;
        for (ChunkDigest digest : List.of(C1, C2, C3, GARBAGE)) {
            fixture.chunk(digest);
        }
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    /** Nothing is removed, and the message names the path. */
    private void assertRefused(String path) {
        assertThatExceptionOfType(SafetyException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining(path);
        assertThat(List.of(C1, C2, C3, GARBAGE)).allMatch(fixture::has);
        assertThat(fixture.saved).isNull();
    }

    private GcReport assertMarked(String warning, ChunkDigest... kept) throws IOException {
        GcReport report = fixture.run();
        assertThat(fixture.has(GARBAGE)).isFalse();
        assertThat(kept).allMatch(fixture::has);
        if (warning.isEmpty()) {
            assertThat(report.warnings()).isEmpty();
        } else {
            assertThat(report.warnings()).extracting(GcReport.Warning::kind).contains(warning);
        }
        return report;
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void missingChunk_isAWarningWithDigestAndIndex(String tuning) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1, C2);
        Files.delete(fixture.chunkPath(C1));
        GcReport report = assertMarked("missing-chunk", C2);
        assertThat(report.warnings())
                .containsExactly(new GcReport.Warning(
                        "missing-chunk", C1.toString(), "vm/100/" + T1 + "/drive-scsi0.img.fidx", 1));
        assertThat(report.phases().get(0).missing()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void missingPrefixDirectory_failsTheMark(String tuning) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C2, C3, digest(77));
        assertRefused(digest(77).toString().substring(0, 4));
    }

    @ParameterizedTest
    @CsvSource({DIRECT + ",true", BATCHED + ",true", DIRECT + ",false", BATCHED + ",false"})
    void prefixDirectoryThatIsAFile_failsBeforeAnythingIsRemoved(String tuning, boolean referenced) throws IOException {
        store(tuning);
        ChunkDigest lost = digest(77);
        String prefix = lost.toString().substring(0, 4);
        Files.createFile(fixture.layout.chunks().resolve(prefix));
        fixture.snapshot(
                "vm/100",
                T1,
                "drive-scsi0.img.fidx",
                referenced ? new ChunkDigest[] {C1, lost} : new ChunkDigest[] {C1});
        assertThatExceptionOfType(java.io.IOException.class)
                .isThrownBy(() -> fixture.run())
                .withMessageContaining(prefix);
        assertThat(List.of(C1, C2, C3, GARBAGE)).allMatch(fixture::has);
    }

    @ParameterizedTest
    @CsvSource({
        DIRECT + ",x.img.fidx,0",
        DIRECT + ",x.img.fidx,8",
        DIRECT + ",x.img.fidx,4095",
        DIRECT + ",x.img.fidx,4096",
        DIRECT + ",x.img.fidx,4097",
        DIRECT + ",x.img.fidx,4128",
        DIRECT + ",x.img.fidx,4191",
        DIRECT + ",x.pxar.didx,4096",
        DIRECT + ",x.pxar.didx,4215",
        DIRECT + ",x.pxar.didx,4176",
        DIRECT + ",x.pxar.didx,4136",
        DIRECT + ",x.pxar.didx,64",
        DIRECT + ",x.pxar.didx,1",
        BATCHED + ",x.img.fidx,4128",
        BATCHED + ",x.pxar.didx,4176"
    })
    void indexThatWasCut_failsTheRun_alsoByWholeRecords(String tuning, String name, int length) throws IOException {
        store(tuning);
        Path snapshot = fixture.snapshot("vm/100", T1, name, C1, C2, C3);
        Path index = snapshot.resolve(name);
        Files.write(index, Arrays.copyOf(Files.readAllBytes(index), length));
        assertRefused(T1 + "/" + name);
        Files.delete(snapshot.resolve("index.json.blob"));
        assertRefused(T1 + "/" + name);
    }

    @ParameterizedTest
    @CsvSource({DIRECT + ",x.img.fidx", DIRECT + ",x.pxar.didx", BATCHED + ",x.pxar.didx"})
    void indexWithWrongMagic_failsTheRun(String tuning, String name) throws IOException {
        store(tuning);
        Path index = fixture.index("vm/100/" + T1 + "/" + name, C1);
        byte[] bytes = Files.readAllBytes(index);
        bytes[3] ^= 1;
        Files.write(index, bytes);
        assertRefused(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void endsThatDoNotGrow_failTheRun(String tuning) throws IOException {
        store(tuning);
        ByteBuffer bytes = ByteBuffer.wrap(Indexes.dynamic(C1, C2, C3)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(4096 + 40, Indexes.CHUNK_SIZE);
        Path index = fixture.index("host/a/" + T1 + "/root.pxar.didx", C1);
        Files.write(index, Indexes.sealed(bytes));
        assertRefused("root.pxar.didx");
    }

    @ParameterizedTest
    @CsvSource({DIRECT + ",x.img.fidx", BATCHED + ",x.img.fidx", DIRECT + ",x.pxar.didx", BATCHED + ",x.pxar.didx"})
    void recordThatWasChanged_failsTheRun(String tuning, String name) throws IOException {
        store(tuning);
        Path index = fixture.index("host/a/" + T1 + "/" + name, C1, C2);
        byte[] bytes = Files.readAllBytes(index);
        bytes[4096 + 50] ^= 1;
        Files.write(index, bytes);
        assertRefused(name);
    }

    @ParameterizedTest
    @CsvSource({DIRECT + ",x.img.fidx", BATCHED + ",x.pxar.didx"})
    void indexThatIsNotTheOneOfTheManifest_failsTheRun(String tuning, String name) throws IOException {
        store(tuning);
        Path snapshot = fixture.snapshot("host/a", T1, name, C1, C2);
        Files.write(snapshot.resolve(name), Indexes.index(name, C1, C3));
        assertRefused(name);
        Files.write(snapshot.resolve(name), Indexes.index(name, C1));
        assertRefused(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void damagedIndexInAStrangePath_failsTheRun(String tuning) throws IOException {
        store(tuning);
        Path index = fixture.index("junk/deep/x.didx", C1, C2);
        Files.write(index, Arrays.copyOf(Files.readAllBytes(index), 4136));
        assertRefused("junk/deep/x.didx");
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s01_indexThatIsADirectory_failsTheRun(String tuning) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1);
        Files.createDirectory(fixture.root.resolve("vm/100/" + T1 + "/x.fidx"));
        assertRefused("x.fidx");
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s02_indexThatIsALink_isMarkedAndWarnedOf(String tuning) throws IOException {
        store(tuning);
        Path outside = temp.resolve("outside.fidx");
        Files.write(outside, Indexes.fixed(C2));
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1);
        Files.createSymbolicLink(fixture.root.resolve("vm/100/" + T1 + "/x.fidx"), outside);
        GcReport report = assertMarked("strange-path", C1, C2);
        assertThat(report.warnings()).hasSize(1);
        assertThat(report.status().indexFileCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s02_danglingIndexLink_isAWarning(String tuning) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1, C2);
        Files.createSymbolicLink(fixture.root.resolve("vm/100/" + T1 + "/x.fidx"), temp.resolve("nowhere"));
        assertThat(assertMarked("dangling-index", C1, C2).warnings()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({DIRECT + "," + T1, BATCHED + "," + T1, DIRECT + "," + T2, BATCHED + "," + T2})
    void danglingIndexLink_ofAManifest_failsTheRun(String tuning, String time) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1, C2);
        fixture.snapshot("vm/100", T2, "drive-scsi0.img.fidx", C1, C2);
        Path index = fixture.root.resolve("vm/100/" + time + "/drive-scsi0.img.fidx");
        Files.delete(index);
        Files.createSymbolicLink(index, temp.resolve("nowhere"));
        assertRefused(time + "/drive-scsi0.img.fidx");
    }

    @ParameterizedTest
    @CsvSource({
        DIRECT + ",vm", DIRECT + ",vm/100", DIRECT + ",vm/100/" + T1, DIRECT + ",ns", DIRECT + ",ns/a",
        BATCHED + ",vm", BATCHED + ",vm/100", BATCHED + ",vm/100/" + T1, BATCHED + ",ns/a", DIRECT + ",junk"
    })
    void linkedDirectory_failsTheRun(String tuning, String linked) throws IOException {
        store(tuning);
        String base = linked.startsWith("ns") ? "ns/a/" : linked.equals("junk") ? "junk/" : "";
        fixture.snapshot(base + "vm/100", T1, "drive-scsi0.img.fidx", C1, C2, C3);
        Path place = fixture.root.resolve(linked);
        Path elsewhere = temp.resolve("elsewhere");
        Files.move(place, elsewhere);
        Files.createSymbolicLink(place, elsewhere);
        assertRefused(linked);
        Files.move(elsewhere, temp.resolve("gone"));
        if (!linked.equals("junk")) {
            assertRefused(linked);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s07_indexInAHiddenDirectory_isNotMarked_butNamed(String tuning) throws IOException {
        store(tuning);
        fixture.index(".trash/vm/100/" + T1 + "/x.fidx", C1);
        fixture.index("vm/100/.x.fidx", C2);
        GcReport report = fixture.run();
        assertThat(fixture.has(C1)).isFalse();
        assertThat(fixture.has(C2)).isFalse();
        assertThat(report.warnings())
                .extracting(GcReport.Warning::kind, GcReport.Warning::path)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("hidden-index", ".trash"),
                        org.assertj.core.groups.Tuple.tuple("hidden-index", "vm/100/.x.fidx"));
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void rootWhoseNameBeginsWithADot_hidesNothing(String tuning) throws IOException {
        store(tuning, ".store");
        fixture.index("junk/x.fidx", C1);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C2);
        assertMarked("strange-path", C1, C2);
    }

    @ParameterizedTest
    @CsvSource({
        DIRECT + ",ns/a/ns/b/ns/c/ns/d/ns/e/ns/f/ns/g/ns/h/vm/100/" + T1 + "/x.fidx",
        BATCHED + ",ns/a/ns/b/ns/c/ns/d/ns/e/ns/f/ns/g/ns/h/vm/100/" + T1 + "/x.fidx",
        DIRECT + ",qemu/100/" + T1 + "/x.didx",
        BATCHED + ",qemu/100/" + T1 + "/x.didx",
        DIRECT + ",vm/100/2024-02-30T00:00:00Z/x.didx",
        BATCHED + ",vm/100/yesterday/x.didx",
        DIRECT + ",x.fidx",
        BATCHED + ",x.fidx",
        DIRECT + ",vm/100/" + T1 + "/sub/x.fidx",
        BATCHED + ",vm/100/" + T1 + "/sub/x.fidx",
        DIRECT + ",vm/gr@up/" + T1 + "/x.fidx"
    })
    void strangePath_isMarkedAndWarnedOf(String tuning, String path) throws IOException {
        store(tuning);
        fixture.index(path, C1, C3);
        GcReport report = assertMarked("strange-path", C1, C3);
        assertThat(fixture.has(C2)).isFalse();
        assertThat(report.warnings()).extracting(GcReport.Warning::path).containsExactly(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void indexWithAnOddName_isMarked(String tuning) throws IOException {
        store(tuning);
        fixture.index("vm/100/" + T1 + "/a b.fidx", C1, C3);
        assertMarked("", C1, C3);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, BATCHED})
    void s04_chunkThatIsADirectory_isSkipped_andNamed(String tuning) throws IOException {
        store(tuning);
        fixture.snapshot("vm/100", T1, "drive-scsi0.img.fidx", C1, C2);
        Files.delete(fixture.chunkPath(C2));
        Files.createDirectory(fixture.chunkPath(C2));
        Files.delete(fixture.chunkPath(C3));
        Files.createDirectory(fixture.chunkPath(C3));
        GcReport report = assertMarked("irregular-file", C1, C2, C3);
        assertThat(report.warnings()).anyMatch(warning -> warning.path().contains(C3.toString()));
        assertThat(report.status().diskChunks()).isEqualTo(2);
    }
}
