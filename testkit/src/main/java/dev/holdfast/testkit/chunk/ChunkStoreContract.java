package dev.holdfast.testkit.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.InsertOutcome.Kind;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.ChunkConflictException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promises of {@link ChunkStore}, as tests. A store runs them by a class that extends this one and says how an empty
 * store is made. A new promise of the port is first a new test here.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ChunkStoreContract {

    /** Prefixes of all digests that are used here; a store that makes directories needs only these. */
    public static final List<Integer> PREFIXES = List.of(0x0000, 0x00ab, 0x5a5a, 0xffff);

    /** An access time long ago, in Unix seconds. */
    private static final long LONG_AGO = 1_000_000_000L;

    /** A store under test, and the one thing that no port does: setting the clock of a file back. */
    public interface Subject {
        ChunkStore store();

        /**
         * Sets the access time of a file.
         *
         * @param name 64 hex digits, with the suffix of a bad copy if it is one
         */
        void setAccess(String name, Instant access) throws IOException;
    }

    private Subject subject;
    private ChunkStore store;

    /** Makes an empty store. */
    protected abstract Subject create() throws IOException;

    @BeforeEach
    void open() throws IOException {
        subject = create();
        store = subject.store();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void insert_ofNewChunk_storesIt() throws IOException {
        DataBlob blob = blob(1, 1000);
        InsertOutcome outcome = store.insert(digest(0, 1), blob);
        assertThat(outcome).isEqualTo(new InsertOutcome(Kind.INSERTED, blob.size()));
        assertThat(store.load(digest(0, 1)).encoded()).isEqualTo(blob.encoded());
        assertThat(store.stat(digest(0, 1)).orElseThrow().size()).isEqualTo(blob.size());
    }

    @Test
    void insert_ofSameLength_keepsAndTouchesTheOldOne() throws IOException {
        DataBlob old = blob(1, 1000);
        store.insert(digest(0, 1), old);
        age(digest(0, 1).toString());
        Instant before = Instant.now();
        InsertOutcome outcome = store.insert(digest(0, 1), blob(2, 1000));
        assertThat(outcome).isEqualTo(new InsertOutcome(Kind.EXISTED, old.size()));
        assertThat(store.load(digest(0, 1)).encoded()).isEqualTo(old.encoded());
        assertTouched(digest(0, 1), before);
    }

    @Test
    void insert_ofLargerPlainChunk_keepsAndTouchesTheSmaller() throws IOException {
        DataBlob small = blob(1, 500);
        store.insert(digest(1, 1), small);
        age(digest(1, 1).toString());
        Instant before = Instant.now();
        assertThat(store.insert(digest(1, 1), blob(1, 600))).isEqualTo(new InsertOutcome(Kind.EXISTED, small.size()));
        assertThat(store.load(digest(1, 1)).size()).isEqualTo(small.size());
        assertTouched(digest(1, 1), before);
    }

    @Test
    void insert_ofSmallerPlainChunk_replaces() throws IOException {
        store.insert(digest(1, 1), blob(1, 600));
        age(digest(1, 1).toString());
        DataBlob small = blob(1, 500);
        Instant before = Instant.now();
        assertThat(store.insert(digest(1, 1), small)).isEqualTo(new InsertOutcome(Kind.INSERTED, small.size()));
        assertThat(store.load(digest(1, 1)).encoded()).isEqualTo(small.encoded());
        assertTouched(digest(1, 1), before);
    }

    @Test
    void insert_ofEncryptedOverPlain_isRefused() throws IOException {
        for (DataBlob old : List.of(blob(1, 1000), compressed(1000))) {
            ChunkDigest digest = digest(2, old.size());
            store.insert(digest, old);
            assertThatThrownBy(() -> store.insert(digest, encrypted(3, 400)))
                    .isInstanceOfSatisfying(
                            ChunkConflictException.class,
                            e -> assertThat(e.digest()).isEqualTo(digest));
            assertThat(store.load(digest).encoded()).isEqualTo(old.encoded());
        }
    }

    @Test
    void insert_ofEncryptedUncompressed_overOneOfOtherLength_isRefused() throws IOException {
        store.insert(digest(2, 1), encrypted(1, 400));
        assertThatThrownBy(() -> store.insert(digest(2, 1), encrypted(1, 500)))
                .isInstanceOf(ChunkConflictException.class);
    }

    @Test
    void insert_ofEncrypted_overEncryptedWhereOneIsCompressed_keepsTheOldOne() throws IOException {
        DataBlob uncompressed = encrypted(1, 3000);
        DataBlob compressed = encryptedCompressed(3000);
        assertThat(compressed.isCompressed()).isTrue();
        assertThat(uncompressed.isCompressed()).isFalse();
        store.insert(digest(2, 1), uncompressed);
        assertThat(store.insert(digest(2, 1), compressed).kind()).isEqualTo(Kind.EXISTED);
        assertThat(store.load(digest(2, 1)).encoded()).isEqualTo(uncompressed.encoded());
        store.insert(digest(2, 2), compressed);
        assertThat(store.insert(digest(2, 2), uncompressed).kind()).isEqualTo(Kind.EXISTED);
        assertThat(store.load(digest(2, 2)).encoded()).isEqualTo(compressed.encoded());
    }

    @Test
    void insert_ofPlainOverEncrypted_replacesIfSmaller() throws IOException {
        DataBlob encrypted = encrypted(1, 1000);
        store.insert(digest(3, 1), encrypted);
        assertThat(store.insert(digest(3, 1), blob(1, 2000)).kind()).isEqualTo(Kind.EXISTED);
        assertThat(store.load(digest(3, 1)).encoded()).isEqualTo(encrypted.encoded());
        assertThat(store.insert(digest(3, 1), blob(1, 1000)).kind()).isEqualTo(Kind.INSERTED);
        assertThat(store.load(digest(3, 1)).isEncrypted()).isFalse();
    }

    @Test
    void racingInserts_haveOneWinner() throws Exception {
        int threads = 4;
        for (int round = 0; round < 20; round++) {
            ChunkDigest digest = digest(round, 100 + round);
            DataBlob blob = blob(round, 20_000);
            CyclicBarrier start = new CyclicBarrier(threads);
            List<FutureTask<InsertOutcome>> racers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                racers.add(start(() -> {
                    start.await();
                    InsertOutcome outcome = store.insert(digest, blob);
                    // Whoever was told that it is there can read all of it.
                    assertThat(store.load(digest).encoded()).isEqualTo(blob.encoded());
                    return outcome;
                }));
            }
            List<Kind> kinds = new ArrayList<>();
            for (FutureTask<InsertOutcome> racer : racers) {
                kinds.add(racer.get().kind());
            }
            assertThat(Collections.frequency(kinds, Kind.INSERTED))
                    .as("round %d: %s", round, kinds)
                    .isEqualTo(1);
        }
    }

    @Test
    void load_duringReplacement_seesOneOrTheOther() throws Exception {
        ChunkDigest digest = digest(1, 7);
        store.insert(digest, blob(0, 50_000));
        FutureTask<Void> writer = start(() -> {
            for (int size = 49_999; size > 49_800; size--) {
                store.insert(digest, blob(size, size));
            }
            return null;
        });
        int reads = 0;
        while (!writer.isDone() || reads == 0) {
            int size = store.load(digest).size() - DataBlob.PLAIN_HEADER_BYTES;
            assertThat(store.load(digest).size() - DataBlob.PLAIN_HEADER_BYTES).isLessThanOrEqualTo(size);
            reads++;
        }
        writer.get();
    }

    @Test
    void absentChunk_isMissingOnLoad_andHasNoStat() throws IOException {
        assertThatThrownBy(() -> store.load(digest(0, 9)))
                .isInstanceOfSatisfying(
                        ChunkMissingException.class, e -> assertThat(e.digest()).isEqualTo(digest(0, 9)));
        assertThat(store.stat(digest(0, 9))).isEmpty();
    }

    @Test
    void touch_ofNothing_doesNothing() throws IOException {
        TouchOutcome outcome = store.touch(DigestBatch.of(), TaskContext.silent());
        assertThat(outcome.touched()).isZero();
        assertThat(outcome.absent()).isEmpty();
    }

    @Test
    void touch_ofOne_setsItsAccessTimeAndNothingElse() throws IOException {
        store.insert(digest(0, 1), blob(1, 100));
        store.insert(digest(0, 2), blob(2, 100));
        age(digest(0, 1).toString());
        age(digest(0, 2).toString());
        Instant before = Instant.now();
        TouchOutcome outcome = store.touch(DigestBatch.of(digest(0, 1)), TaskContext.silent());
        assertThat(outcome.touched()).isEqualTo(1);
        assertThat(outcome.absent()).isEmpty();
        assertTouched(digest(0, 1), before);
        assertThat(store.load(digest(0, 1)).encoded()).isEqualTo(blob(1, 100).encoded());
        assertThat(store.stat(digest(0, 2)).orElseThrow().accessSeconds()).isEqualTo(LONG_AGO);
    }

    @Test
    void touch_ofMany_touchesThePresentAndReturnsTheAbsent() throws IOException {
        List<ChunkDigest> batch = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // Prefix 0 has one digest, prefix 1 two, the others many.
            batch.add(digest(i == 0 ? 0 : i < 3 ? 1 : 2 + i % 2, i));
        }
        Collections.shuffle(batch, new Random(11));
        List<Integer> absent = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (i % 7 == 3) {
                absent.add(i);
            } else {
                store.insert(batch.get(i), blob(i, 10));
                age(batch.get(i).toString());
            }
        }
        Instant before = Instant.now();
        TouchOutcome outcome = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(outcome.absent())
                .containsExactly(absent.stream().mapToInt(i -> i).toArray());
        assertThat(outcome.touched()).isEqualTo(batch.size() - absent.size());
        assertThat(outcome.badKept()).isZero();
        for (int i = 0; i < batch.size(); i++) {
            if (!absent.contains(i)) {
                assertTouched(batch.get(i), before);
            }
        }
        TouchOutcome again = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(again.absent()).isEqualTo(outcome.absent());
    }

    @Test
    void touch_ofOneAbsent_returnsIt() throws IOException {
        TouchOutcome outcome = store.touch(DigestBatch.of(digest(0, 1)), TaskContext.silent());
        assertThat(outcome.touched()).isZero();
        assertThat(outcome.absent()).containsExactly(0);
    }

    @Test
    void touch_ofAbsentChunk_keepsItsBadCopies_ofAPresentOneNot() throws IOException {
        List<ChunkDigest> digests = List.of(digest(0, 1), digest(0, 2), digest(1, 1));
        for (ChunkDigest digest : digests) {
            store.insert(digest, blob(1, 100));
            store.quarantine(digest);
            store.insert(digest, blob(1, 100));
            store.quarantine(digest);
            age(digest + ".0.bad");
            age(digest + ".1.bad");
        }
        store.insert(digests.get(1), blob(1, 100));
        long before = Instant.now().getEpochSecond() - 1;
        TouchOutcome outcome = store.touch(new DigestBatch(digests), TaskContext.silent());
        assertThat(outcome.absent()).containsExactly(0, 2);
        assertThat(outcome.badKept()).isEqualTo(2);
        TreeMap<String, Long> access = new TreeMap<>();
        store.sweep(
                policy(entry -> {
                    if (entry.kind() == SweepEntry.Kind.BAD) {
                        access.put(entry.path().substring(entry.path().lastIndexOf('/') + 1), entry.accessSeconds());
                    }
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        assertThat(access).hasSize(6);
        access.forEach((name, seconds) -> {
            if (name.startsWith(digests.get(1).toString())) {
                assertThat(seconds).as(name).isEqualTo(LONG_AGO);
            } else {
                assertThat(seconds).as(name).isGreaterThanOrEqualTo(before);
            }
        });
        assertThat(store.touch(DigestBatch.of(digests.get(0)), TaskContext.silent())
                        .badKept())
                .isEqualTo(1);
    }

    @Test
    void touch_honoursAbort() {
        List<ChunkDigest> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(digest(2, i));
        }
        AbortAfter task = new AbortAfter(2);
        assertThatThrownBy(() -> store.touch(new DigestBatch(many), task)).isInstanceOf(TaskAbortedException.class);
        assertThatThrownBy(() -> store.touch(DigestBatch.of(digest(0, 1)), task))
                .isInstanceOf(TaskAbortedException.class);
    }

    @Test
    void sweep_showsEveryFileOnce_andKeepsWhatIsKept() throws IOException {
        store.insert(digest(0, 1), blob(1, 100));
        store.insert(digest(3, 2), blob(2, 200));
        store.insert(digest(1, 3), blob(3, 300));
        store.quarantine(digest(1, 3));
        age(digest(3, 2).toString());
        TreeMap<ChunkDigest, String> seen = new TreeMap<>();
        SweepOutcome outcome = store.sweep(
                policy(entry -> {
                    byte[] copy = new byte[ChunkDigest.BYTES + 1];
                    entry.copyDigest(copy, 1);
                    assertThat(ChunkDigest.of(copy, 1)).isEqualTo(entry.digest());
                    assertThat(entry.misplaced()).isFalse();
                    String old = seen.put(entry.digest(), entry.kind() + " " + entry.size());
                    assertThat(old).isNull();
                    if (entry.digest().equals(digest(3, 2))) {
                        assertThat(entry.accessSeconds()).isEqualTo(LONG_AGO);
                        return SweepVerdict.PENDING;
                    }
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        assertThat(seen)
                .containsEntry(digest(0, 1), "CHUNK " + blob(1, 100).size())
                .containsEntry(digest(3, 2), "CHUNK " + blob(2, 200).size())
                .containsEntry(digest(1, 3), "BAD " + blob(3, 300).size())
                .hasSize(3);
        assertThat(outcome.seen()).isEqualTo(3);
        assertThat(outcome.skipped()).isZero();
        assertThat(store.stat(digest(0, 1))).isPresent();
        assertThat(store.stat(digest(3, 2))).isPresent();
        assertThat(store.quarantine(digest(1, 3))).isEmpty();
    }

    @Test
    void sweep_neitherJudgesNorReportsWhatIsKeptByItsName() throws IOException {
        store.insert(digest(0, 1), blob(1, 100));
        store.insert(digest(3, 2), blob(2, 200));
        store.insert(digest(1, 3), blob(3, 300));
        store.quarantine(digest(1, 3));
        List<String> calls = new ArrayList<>();
        SweepOutcome outcome = store.sweep(
                new SweepPolicy() {
                    @Override
                    public boolean keepsByName(SweepEntry entry) {
                        byte[] copy = new byte[ChunkDigest.BYTES];
                        entry.copyDigest(copy, 0);
                        assertThat(ChunkDigest.of(copy)).isEqualTo(entry.digest());
                        assertThat(entry.misplaced()).isFalse();
                        assertThat(entry.path()).contains(entry.digest().toString());
                        calls.add("name " + entry.kind() + " " + entry.digest());
                        return entry.digest().equals(digest(0, 1));
                    }

                    @Override
                    public SweepVerdict judge(SweepEntry entry) {
                        calls.add("judge " + entry.kind() + " " + entry.digest());
                        return SweepVerdict.REMOVE;
                    }

                    @Override
                    public void done(SweepEntry entry, SweepVerdict verdict) {
                        calls.add("done " + entry.kind() + " " + entry.digest());
                    }

                    @Override
                    public void failed(SweepEntry entry) {
                        throw new AssertionError(entry.path());
                    }
                },
                TaskContext.silent());
        assertThat(calls)
                .containsExactlyInAnyOrder(
                        "name CHUNK " + digest(0, 1),
                        "name CHUNK " + digest(3, 2),
                        "judge CHUNK " + digest(3, 2),
                        "done CHUNK " + digest(3, 2),
                        "name BAD " + digest(1, 3),
                        "judge BAD " + digest(1, 3),
                        "done BAD " + digest(1, 3));
        assertThat(outcome.seen()).isEqualTo(3);
        assertThat(outcome.looked()).isEqualTo(2);
        assertThat(store.stat(digest(0, 1))).isPresent();
        assertThat(store.stat(digest(3, 2))).isEmpty();
    }

    @Test
    void sweep_hasRemovedWhatItReportsAsDone() throws IOException {
        store.insert(digest(0, 1), blob(1, 100));
        store.insert(digest(0, 2), blob(2, 100));
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        store.sweep(
                new SweepPolicy() {
                    @Override
                    public SweepVerdict judge(SweepEntry entry) {
                        return entry.digest().equals(digest(0, 1)) ? SweepVerdict.REMOVE : SweepVerdict.KEEP;
                    }

                    @Override
                    public void done(SweepEntry entry, SweepVerdict verdict) {
                        try {
                            done.add(verdict + " " + store.stat(entry.digest()).isPresent());
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }

                    @Override
                    public void failed(SweepEntry entry) {
                        throw new AssertionError(entry.path());
                    }
                },
                TaskContext.silent());
        assertThat(done).containsExactlyInAnyOrder("REMOVE false", "KEEP true");
        assertThat(store.stat(digest(0, 2))).isPresent();
    }

    @Test
    void insert_waitsForTheVerdictOnTheSamePrefix() throws Exception {
        store.insert(digest(1, 1), blob(1, 100));
        List<FutureTask<InsertOutcome>> inserting = new ArrayList<>();
        store.sweep(
                policy(entry -> {
                    inserting.add(startAndAwaitBlocked(() -> store.insert(digest(1, 1), blob(1, 100))));
                    return SweepVerdict.REMOVE;
                }),
                TaskContext.silent());
        // Had it not waited, it would have found the chunk, and the chunk would then have been removed.
        assertThat(inserting.get(0).get().kind()).isEqualTo(Kind.INSERTED);
        assertThat(store.stat(digest(1, 1))).isPresent();
    }

    @Test
    void touch_waitsForTheVerdictOnTheSamePrefix() throws Exception {
        for (int others : List.of(0, 1)) {
            store.insert(digest(1, 1), blob(1, 100));
            DigestBatch batch = others == 0 ? DigestBatch.of(digest(1, 1)) : DigestBatch.of(digest(1, 1), digest(1, 2));
            List<FutureTask<TouchOutcome>> touching = new ArrayList<>();
            store.sweep(
                    policy(entry -> {
                        touching.add(startAndAwaitBlocked(() -> store.touch(batch, TaskContext.silent())));
                        return SweepVerdict.REMOVE;
                    }),
                    TaskContext.silent());
            assertThat(touching.get(0).get().touched()).isZero();
            assertThat(store.stat(digest(1, 1))).isEmpty();
        }
    }

    @Test
    void otherPrefixes_doNotWaitForAVerdict() throws Exception {
        store.insert(digest(1, 1), blob(1, 100));
        store.sweep(
                policy(entry -> {
                    if (!entry.digest().equals(digest(1, 1))) {
                        return SweepVerdict.KEEP;
                    }
                    try {
                        start(() -> store.insert(digest(2, 1), blob(1, 100))).get();
                        start(() -> store.touch(DigestBatch.of(digest(0, 1)), TaskContext.silent()))
                                .get();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        assertThat(store.stat(digest(2, 1))).isPresent();
    }

    @Test
    void sweep_besideInsertsAndTouches_removesNothingYoung() throws Exception {
        List<ChunkDigest> digests = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            digests.add(digest(i, i));
            store.insert(digests.get(i), blob(i, 50));
            age(digests.get(i).toString());
        }
        CyclicBarrier start = new CyclicBarrier(3);
        FutureTask<Void> inserting = start(() -> {
            start.await();
            for (int i = 0; i < 20; i++) {
                store.insert(digests.get(i), blob(i, 50));
            }
            return null;
        });
        FutureTask<TouchOutcome> touching = start(() -> {
            start.await();
            return store.touch(new DigestBatch(digests.subList(20, 30)), TaskContext.silent());
        });
        start.await();
        store.sweep(
                policy(entry -> entry.accessSeconds() < LONG_AGO + 1 ? SweepVerdict.REMOVE : SweepVerdict.KEEP),
                TaskContext.silent());
        inserting.get();
        TouchOutcome touched = touching.get();
        for (int i = 0; i < 20; i++) {
            assertThat(store.stat(digests.get(i))).as("inserted %d", i).isPresent();
        }
        long present = 0;
        for (int i = 20; i < 30; i++) {
            present += store.stat(digests.get(i)).isPresent() ? 1 : 0;
        }
        assertThat(present).isEqualTo(touched.touched());
        for (int i = 30; i < 40; i++) {
            assertThat(store.stat(digests.get(i))).as("old %d", i).isEmpty();
        }
    }

    @Test
    void sweep_honoursAbort() throws IOException {
        store.insert(digest(0, 1), blob(1, 100));
        assertThatThrownBy(() -> store.sweep(policy(entry -> SweepVerdict.REMOVE), new AbortAfter(0)))
                .isInstanceOf(TaskAbortedException.class);
        assertThat(store.stat(digest(0, 1))).isPresent();
    }

    @Test
    void quarantine_takesTheNextFreeName() throws IOException {
        ChunkDigest digest = digest(0, 5);
        assertThat(store.quarantine(digest)).isEmpty();
        for (int n = 0; n < 3; n++) {
            store.insert(digest, blob(n, 100 + n));
            assertThat(store.quarantine(digest)).hasValue(n);
            assertThat(store.stat(digest)).isEmpty();
        }
        assertThat(badSizes(digest)).containsExactly(size(100), size(101), size(102));
        assertThat(store.quarantine(digest)).isEmpty();
    }

    @Test
    void quarantine_withAllNamesTaken_replacesTheLastOnly() throws IOException {
        ChunkDigest digest = digest(0, 5);
        for (int n = 0; n < 11; n++) {
            store.insert(digest, blob(n, 100 + n));
            assertThat(store.quarantine(digest)).hasValue(Math.min(n, 9));
        }
        List<Long> expected = new ArrayList<>();
        for (int n = 0; n < 9; n++) {
            expected.add(size(100 + n));
        }
        expected.add(size(110));
        assertThat(badSizes(digest)).isEqualTo(expected);
    }

    @Test
    void racingQuarantines_moveOnce() throws Exception {
        ChunkDigest digest = digest(3, 3);
        store.insert(digest, blob(1, 100));
        CyclicBarrier start = new CyclicBarrier(2);
        FutureTask<Boolean> other = start(() -> {
            start.await();
            return store.quarantine(digest).isPresent();
        });
        start.await();
        boolean mine = store.quarantine(digest).isPresent();
        assertThat(mine).isNotEqualTo(other.get());
        assertThat(badSizes(digest)).hasSize(1);
    }

    @Test
    void readOrder_isAPermutation_withAbsentOnesLast() throws IOException {
        List<ChunkDigest> digests = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            digests.add(digest(i, i));
            if (i % 5 != 0) {
                store.insert(digests.get(i), blob(i, 10));
            }
        }
        Collections.shuffle(digests, new Random(5));
        List<ChunkDigest> order = store.readOrder(digests);
        assertThat(order).containsExactlyInAnyOrderElementsOf(digests);
        List<ChunkDigest> absent = new ArrayList<>();
        for (ChunkDigest digest : digests) {
            if (store.stat(digest).isEmpty()) {
                absent.add(digest);
            }
        }
        assertThat(order).endsWith(absent.toArray(new ChunkDigest[0]));
        assertThat(store.readOrder(order)).isEqualTo(order);
        assertThat(store.readOrder(List.of())).isEmpty();
    }

    @Test
    void close_mayBeRepeated() {
        store.close();
        store.close();
    }

    /** A digest of one of the four prefixes, told apart from its neighbours by its last bytes. */
    protected static ChunkDigest digest(int prefix, int number) {
        byte[] bytes = new byte[ChunkDigest.BYTES];
        new Random(number).nextBytes(bytes);
        int value = PREFIXES.get(prefix % PREFIXES.size());
        bytes[0] = (byte) (value >> 8);
        bytes[1] = (byte) value;
        return ChunkDigest.of(bytes);
    }

    /** An uncompressed blob with this many bytes of data. */
    protected DataBlob blob(int seed, int length) {
        byte[] data = new byte[length];
        new Random(seed).nextBytes(data);
        return new BlobEncoder(false, null).encode(data, 0, length);
    }

    private DataBlob compressed(int length) {
        return new BlobEncoder(true, null).encode(new byte[length], 0, length);
    }

    private DataBlob encrypted(int seed, int length) {
        byte[] data = new byte[length];
        new Random(seed).nextBytes(data);
        return new BlobEncoder(false, key()).encode(data, 0, length);
    }

    private DataBlob encryptedCompressed(int length) {
        return new BlobEncoder(true, key()).encode(new byte[length], 0, length);
    }

    private static CryptConfig key() {
        return CryptConfig.of(new byte[CryptConfig.KEY_BYTES]);
    }

    private long size(int data) {
        return data + DataBlob.PLAIN_HEADER_BYTES;
    }

    private List<Long> badSizes(ChunkDigest digest) throws IOException {
        TreeMap<String, Long> sizes = new TreeMap<>();
        store.sweep(
                policy(entry -> {
                    if (entry.kind() == SweepEntry.Kind.BAD && entry.digest().equals(digest)) {
                        sizes.put(entry.path(), entry.size());
                    }
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        int n = 0;
        for (String path : sizes.keySet()) {
            assertThat(path).endsWith(digest + ChunkName.badSuffix(n++));
        }
        return List.copyOf(sizes.values());
    }

    private void age(String name) throws IOException {
        subject.setAccess(name, Instant.ofEpochSecond(LONG_AGO));
    }

    /** The kernel stamps files by a clock that lags by up to a tick of 10 ms. */
    private void assertTouched(ChunkDigest digest, Instant before) throws IOException {
        ChunkStat stat = store.stat(digest).orElseThrow();
        assertThat(Instant.ofEpochSecond(stat.accessSeconds(), stat.accessNanos()))
                .isAfterOrEqualTo(before.minusMillis(20));
    }

    /** What a policy of a test decides. */
    @FunctionalInterface
    interface Judge {
        SweepVerdict judge(SweepEntry entry);
    }

    /** A policy that asks one question at a time, whatever the store does. */
    static SweepPolicy policy(Judge judge) {
        return new SweepPolicy() {
            @Override
            public synchronized SweepVerdict judge(SweepEntry entry) {
                return judge.judge(entry);
            }

            @Override
            public void done(SweepEntry entry, SweepVerdict verdict) {}

            @Override
            public void failed(SweepEntry entry) {
                throw new AssertionError("could not be removed: " + entry.path());
            }
        };
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Starts work and returns when its thread waits for something, or has ended, which it should not. */
    private static <T> FutureTask<T> startAndAwaitBlocked(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(task.isDone()).as("went on beside the verdict").isFalse();
        return task;
    }

    /** Lets some looks pass, then aborts. */
    protected static final class AbortAfter implements TaskContext {
        private int left;

        public AbortAfter(int looks) {
            left = looks;
        }

        @Override
        public void log(String line) {}

        @Override
        public void warn(String line) {}

        @Override
        public void progress(String phase, long done, long total, String unit) {}

        @Override
        public void checkAbort() throws TaskAbortedException {
            if (left-- <= 0) {
                throw new TaskAbortedException();
            }
        }
    }
}
