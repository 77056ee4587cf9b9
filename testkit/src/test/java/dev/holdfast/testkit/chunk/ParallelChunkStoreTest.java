package dev.holdfast.testkit.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.chunk.fs.FilesystemChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.testkit.fault.FaultPlan;
import dev.holdfast.testkit.fault.FaultyPosixFiles;
import dev.holdfast.testkit.fault.PosixOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches and sweeps that several workers share: all of the work, once, and the first failure ends it for all. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelChunkStoreTest {

    private static final int WORKERS = 4;

    /** Prefixes 0, 64, 128 …: one for each range of a sweep, and spread for a flush. */
    private static final int STEP = 64;

    private static final int DIRECTORIES = 128;
    private static final int PER_DIRECTORY = 40;

    @TempDir(factory = FilesystemChunkStoreTest.InMemory.class)
    Path root;

    private final FaultPlan plan = new FaultPlan();
    private final List<ChunkDigest> batch = new ArrayList<>();
    private Path chunks;
    private ChunkStore store;

    @BeforeEach
    void fill() throws IOException {
        chunks = Files.createDirectory(root.resolve(".chunks"));
        for (int d = 0; d < DIRECTORIES; d++) {
            Files.createDirectory(chunks.resolve(String.format("%04x", d * STEP)));
            for (int i = 0; i < (d % 16 == 15 ? 1 : PER_DIRECTORY); i++) {
                batch.add(digest(d * STEP, i));
                Files.createFile(file(batch.get(batch.size() - 1)));
            }
        }
        assertThat(batch.size()).isGreaterThan(WORKERS * 1024);
        Collections.shuffle(batch, new Random(3));
        store = FilesystemChunkStore.open(
                new FaultyPosixFiles(JnrPosixFiles.load(), plan),
                new FilesystemChunkStore.Config("store1", chunks, FileOwner.UNCHANGED, SyncLevel.NONE, WORKERS),
                new ChunkLocks());
        plan.resetCounts();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void flush_opensTheTopOnce_eachPrefixAtMostOnce_andNoneForASingleDigest() throws IOException {
        Map<String, Integer> opens = new ConcurrentHashMap<>();
        plan.before(PosixOperation.OPEN_DIRECTORY, FaultPlan.EVERY, "", path -> opens.merge(path, 1, Integer::sum));
        meetOnFirst(PosixOperation.TOUCH);
        TouchOutcome outcome = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(outcome.touched()).isEqualTo(batch.size());
        assertThat(outcome.absent()).isEmpty();
        assertThat(outcome.directoriesOpened()).isEqualTo(DIRECTORIES * 15 / 16);
        assertThat(opens.values()).containsOnly(1);
        assertThat(opens).hasSize(1 + DIRECTORIES * 15 / 16).containsKey(chunks.toString());
        assertThat(plan.count(PosixOperation.TOUCH)).isEqualTo(batch.size());
        assertThat(plan.count(PosixOperation.LIST)).isZero();
        assertThat(plan.count(PosixOperation.STAT)).isZero();
        plan.assertAllHit();
    }

    @Test
    void flush_holdsAtMostOneDescriptorPerWorker_andTheTop() throws IOException {
        AtomicLong most = new AtomicLong();
        plan.before(
                PosixOperation.TOUCH,
                FaultPlan.EVERY,
                "/0[0-9a-f]c0/",
                path -> most.accumulateAndGet(openDescriptors(), Math::max));
        long before = openDescriptors();
        store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(most.get() - before).isBetween(2L, 1L + WORKERS);
        assertThat(openDescriptors()).isEqualTo(before);
    }

    @Test
    void flush_returnsTheAbsentOfAllWorkers_inOrder() throws IOException {
        List<Integer> absent = new ArrayList<>();
        for (int i = 5; i < batch.size(); i += 9) {
            Files.delete(file(batch.get(i)));
            absent.add(i);
        }
        TouchOutcome outcome = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(outcome.absent())
                .containsExactly(absent.stream().mapToInt(i -> i).toArray());
        assertThat(outcome.touched()).isEqualTo(batch.size() - absent.size());
    }

    @Test
    void flush_tellsHowManyWait_downToNone() throws IOException {
        AtomicLong least = new AtomicLong(Long.MAX_VALUE);
        TaskContext task = new Task() {
            @Override
            public void figure(String name, long value) {
                assertThat(name).isEqualTo("waiting");
                assertThat(value).isBetween(0L, (long) batch.size());
                least.accumulateAndGet(value, Math::min);
            }
        };
        store.touch(new DigestBatch(batch), task);
        assertThat(least).hasValue(0);
    }

    @Test
    void flush_thatFails_stopsAllWorkers_andSaysWhy() throws IOException {
        plan.fail(PosixOperation.TOUCH, FaultPlan.EVERY, "", Errno.EIO);
        long before = openDescriptors();
        for (int round = 0; round < 20; round++) {
            plan.resetCounts();
            assertThatThrownBy(() -> store.touch(new DigestBatch(batch), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining("EIO");
            assertThat(plan.count(PosixOperation.TOUCH)).isBetween(1, WORKERS);
            assertThat(openDescriptors()).isEqualTo(before);
        }
    }

    @Test
    void flush_withOneBadChunk_fails_whicheverWorkerHasIt() {
        for (int i = 0; i < batch.size(); i += 997) {
            ChunkDigest bad = batch.get(i);
            plan.fail(PosixOperation.TOUCH, 1, bad.toString(), Errno.EACCES);
            assertThatThrownBy(() -> store.touch(new DigestBatch(batch), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(file(bad).toString());
        }
        plan.assertAllHit();
    }

    @Test
    void flush_inMissingDirectory_fails() throws IOException {
        for (int prefix : List.of(0, 15 * STEP, 127 * STEP)) {
            Path directory = chunks.resolve(String.format("%04x", prefix));
            Files.move(directory, root.resolve("aside"));
            assertThatThrownBy(() -> store.touch(new DigestBatch(batch), TaskContext.silent()))
                    .isExactlyInstanceOf(DatastoreException.class)
                    .hasMessageContaining(directory + " is missing");
            Files.move(root.resolve("aside"), directory);
        }
    }

    @Test
    void flush_honoursAbort_inEveryWorker() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        TaskContext task = new Task() {
            @Override
            public void checkAbort() throws TaskAbortedException {
                if (looks.incrementAndGet() > 20) {
                    throw new TaskAbortedException();
                }
            }
        };
        long before = openDescriptors();
        assertThatThrownBy(() -> store.touch(new DigestBatch(batch), task)).isInstanceOf(TaskAbortedException.class);
        assertThat(plan.count(PosixOperation.TOUCH)).isLessThanOrEqualTo((20 + WORKERS) * 16);
        assertThat(openDescriptors()).isEqualTo(before);
    }

    @Test
    void flush_ofAnInterruptedThread_isDoneAll_andKeepsTheInterrupt() throws IOException {
        Thread.currentThread().interrupt();
        TouchOutcome outcome = store.touch(new DigestBatch(batch), TaskContext.silent());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome.touched()).isEqualTo(batch.size());
    }

    @Test
    void flush_doesNotWaitForASweepThatHasAllThreads() throws Exception {
        CountDownLatch swept = new CountDownLatch(WORKERS);
        CountDownLatch goOn = new CountDownLatch(1);
        Set<Integer> held = ConcurrentHashMap.newKeySet();
        FutureTask<SweepOutcome> sweep = new FutureTask<>(() -> store.sweep(
                judge(entry -> {
                    if (held.add(entry.digest().prefix() % 1024)) {
                        swept.countDown();
                    }
                    await(goOn);
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent()));
        Thread sweeper = new Thread(sweep);
        sweeper.setDaemon(true);
        sweeper.start();
        await(swept);
        // Chunks of the same stripe do wait, as they must.
        List<ChunkDigest> others = batch.stream()
                .filter(digest -> !held.contains(digest.prefix() % 1024))
                .toList();
        TouchOutcome outcome = store.touch(new DigestBatch(others), TaskContext.silent());
        assertThat(outcome.touched()).isEqualTo(others.size());
        assertThat(sweep.isDone()).isFalse();
        goOn.countDown();
        assertThat(sweep.get().seen()).isEqualTo(batch.size());
    }

    @Test
    void closedStore_stillTouches_withoutThreadsOfItsOwn() throws IOException {
        store.close();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        plan.before(PosixOperation.TOUCH, FaultPlan.EVERY, "", path -> threads.add(Thread.currentThread()));
        assertThat(store.touch(new DigestBatch(batch), TaskContext.silent()).touched())
                .isEqualTo(batch.size());
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void threads_areDaemons_andNamedAfterTheStore() throws IOException {
        Set<Thread> threads = meetOnFirst(PosixOperation.TOUCH);
        store.touch(new DigestBatch(batch), TaskContext.silent());
        threads.remove(Thread.currentThread());
        assertThat(threads).hasSize(WORKERS - 1).allMatch(Thread::isDaemon);
        assertThat(threads).allMatch(thread -> thread.getName().startsWith("chunks-store1-"));
    }

    @Test
    void smallBatch_isDoneByTheCaller() throws IOException {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        plan.before(PosixOperation.TOUCH, FaultPlan.EVERY, "", path -> threads.add(Thread.currentThread()));
        store.touch(new DigestBatch(batch.subList(0, 1000)), TaskContext.silent());
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void sweep_showsEveryFileOnce_andOpensEveryDirectoryOnce() throws IOException {
        Set<Thread> threads = meetOnFirst(PosixOperation.STAT);
        Map<ChunkDigest, Integer> seen = new ConcurrentHashMap<>();
        SweepOutcome outcome = store.sweep(
                judge(entry -> {
                    seen.merge(entry.digest(), 1, Integer::sum);
                    return SweepVerdict.KEEP;
                }),
                TaskContext.silent());
        assertThat(threads).hasSize(WORKERS);
        assertThat(seen).hasSize(batch.size());
        assertThat(seen.values()).containsOnly(1);
        assertThat(outcome).isEqualTo(new SweepOutcome(batch.size(), batch.size(), 0, DIRECTORIES));
        assertThat(plan.count(PosixOperation.OPEN_DIRECTORY)).isEqualTo(1 + DIRECTORIES);
    }

    @Test
    void sweep_removesWhatItIsTold_inAllRanges() throws IOException {
        store.sweep(
                judge(entry -> entry.digest().prefix() % 128 == 0 ? SweepVerdict.REMOVE : SweepVerdict.KEEP),
                TaskContext.silent());
        for (ChunkDigest digest : batch) {
            assertThat(Files.exists(file(digest))).as("%s", digest).isEqualTo(digest.prefix() % 128 != 0);
        }
    }

    @Test
    void sweep_thatCannotRemove_stopsAllWorkers() throws IOException {
        plan.fail(PosixOperation.UNLINK, FaultPlan.EVERY, "", Errno.EACCES);
        AtomicInteger failed = new AtomicInteger();
        long before = openDescriptors();
        SweepPolicy policy = new SweepPolicy() {
            @Override
            public SweepVerdict judge(SweepEntry entry) {
                return SweepVerdict.REMOVE;
            }

            @Override
            public void done(SweepEntry entry, SweepVerdict verdict) {
                throw new AssertionError("removed: " + entry.path());
            }

            @Override
            public void failed(SweepEntry entry) {
                failed.incrementAndGet();
            }
        };
        assertThatThrownBy(() -> store.sweep(policy, TaskContext.silent()))
                .isExactlyInstanceOf(DatastoreException.class)
                .hasMessageContaining("EACCES");
        assertThat(failed.get()).isBetween(1, WORKERS).isEqualTo(plan.count(PosixOperation.UNLINK));
        assertThat(openDescriptors()).isEqualTo(before);
    }

    @Test
    void sweep_whosePolicyBreaks_throwsWhatItThrew() {
        meetOnFirst(PosixOperation.STAT);
        assertThatThrownBy(() -> store.sweep(
                        judge(entry -> {
                            throw new IllegalStateException("broken policy");
                        }),
                        TaskContext.silent()))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("broken policy");
    }

    /** Lets as many threads as there are workers wait for each other, each before its first call of an operation. */
    private Set<Thread> meetOnFirst(PosixOperation operation) {
        CyclicBarrier all = new CyclicBarrier(WORKERS);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        plan.before(operation, FaultPlan.EVERY, "", path -> {
            if (threads.add(Thread.currentThread())) {
                try {
                    all.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new AssertionError("not all workers came", e);
                }
            }
        });
        return threads;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As the contract's, but asked by all workers at a time. */
    private static SweepPolicy judge(ChunkStoreContract.Judge judge) {
        return new SweepPolicy() {
            @Override
            public SweepVerdict judge(SweepEntry entry) {
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

    private static ChunkDigest digest(int prefix, int number) {
        byte[] bytes = new byte[ChunkDigest.BYTES];
        new Random(number).nextBytes(bytes);
        bytes[0] = (byte) (prefix >> 8);
        bytes[1] = (byte) prefix;
        return ChunkDigest.of(bytes);
    }

    private Path file(ChunkDigest digest) {
        return chunks.resolve(digest.toString().substring(0, 4)).resolve(digest.toString());
    }

    private long openDescriptors() {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(fd -> {
                        try {
                            return Files.readSymbolicLink(fd).startsWith(root);
                        } catch (IOException e) {
                            return false; // closed since it was listed
                        }
                    })
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static class Task implements TaskContext {
        @Override
        public void log(String line) {}

        @Override
        public void warn(String line) {}

        @Override
        public void progress(String phase, long done, long total, String unit) {}

        @Override
        public void checkAbort() throws TaskAbortedException {}
    }
}
