package dev.holdfast.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.gc.GcReport;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.PosixException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;

/**
 * Runs one variant once and prints one CSV line: see {@link Run}.
 *
 * <p>The measure {@code gc} is a whole garbage collection by the real collector (access times are not probed first, because
 * that waits for a second); its phase 1 is given apart. The measure {@code mark} is the same without the sweep. The measure
 * {@code touch} hands the digests of the list to {@link
 * ChunkStore#touch} and does nothing else, which is what programs that only touch do.
 *
 * <p>With {@code --warm-up} the same is done first, a few times, on another, small store: what is measured is then the code
 * as it runs in a process that is not new.
 */
final class MarkBenchmark {

    static final Set<String> OPTIONS = Set.of("root", "list", "variant", "measure", "batch", "warm-up", "warm-up-list");

    /** Exit code for a variant that this build does not have. */
    private static final int SKIPPED = 4;

    private static final int WARM_UP_RUNS = 6;

    private final Variant variant;
    private final String measure;
    private final int batchSize;

    private MarkBenchmark(Options options) {
        variant = Variant.parse(options.required("variant"));
        measure = options.text("measure", "gc");
        if (!Set.of("gc", "mark", "touch").contains(measure)) {
            throw new IllegalArgumentException("there is no measure '" + measure + "'");
        }
        batchSize = (int) options.number("batch", 1 << 20, 1024, 1 << 24);
    }

    /** Options: {@code --root STORE --variant NAME [--measure gc|mark|touch] [--list FILE] [--batch N] [--warm-up STORE
     * --warm-up-list FILE]}. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] words) throws IOException, DatastoreException {
        Options options = Options.parse(words, OPTIONS);
        MarkBenchmark benchmark = new MarkBenchmark(options);
        try {
            if (options.has("warm-up")) {
                for (int i = 0; i < WARM_UP_RUNS; i++) {
                    benchmark.run(Path.of(options.required("warm-up")), options.text("warm-up-list", ""));
                }
            }
            System.out.println(benchmark
                    .run(Path.of(options.required("root")), options.text("list", ""))
                    .csv());
        } catch (Variant.UnknownHereException e) {
            System.err.println("skipped " + benchmark.variant.name() + ": " + e.getMessage());
            System.exit(SKIPPED);
        }
    }

    /** One run without warming up. */
    static Run once(Options options)
            throws IOException, DatastoreException, PosixException, Variant.UnknownHereException {
        return new MarkBenchmark(options).run(Path.of(options.required("root")), options.text("list", ""));
    }

    private Run run(Path root, String list) throws IOException, DatastoreException, Variant.UnknownHereException {
        try (BenchmarkStore store = new BenchmarkStore(root, variant.tuning(batchSize), root.resolve(".locks"))) {
            ChunkStore chunks = switch (variant.kind()) {
                case BATCH_LIST, BATCH_OPEN ->
                    new OtherTouch(
                            store.chunks(),
                            store.files(),
                            store.chunkDirectory(),
                            variant.kind() == Variant.Kind.BATCH_LIST);
                default -> store.chunks();
            };
            return switch (measure) {
                case "touch" -> touch(store, chunks, DigestList.read(Path.of(list)));
                case "mark" -> collect(store, new UnsweptStore(chunks));
                default -> collect(store, chunks);
            };
        }
    }

    private Run collect(BenchmarkStore store, ChunkStore chunks) throws DatastoreException, PosixException {
        GarbageCollector collector = store.collector(chunks);
        TaskContext task = TaskContext.silent();
        long began = System.nanoTime();
        final long cpu = processorNanos();
        listIfWanted(store);
        final double listed = seconds(began);
        GcReport report = variant.isDryRun() ? collector.dryRun(task) : collector.run(task);
        GcReport.Phase mark = report.phases().get(0);
        return new Run(
                mark.references(),
                mark.touched(),
                mark.missing(),
                mark.directoriesOpened(),
                listed + mark.durationMillis() / 1e3,
                seconds(began),
                (processorNanos() - cpu) / 1e9);
    }

    private Run touch(BenchmarkStore store, ChunkStore chunks, DigestList list)
            throws DatastoreException, PosixException {
        ListSlice slice = new ListSlice(list);
        TaskContext task = TaskContext.silent();
        int step = variant.isBatched() ? batchSize : 1;
        long touched = 0;
        long missing = 0;
        long opened = 0;
        long began = System.nanoTime();
        final long cpu = processorNanos();
        listIfWanted(store);
        for (int from = 0; from < list.size(); from += step) {
            slice.set(from, Math.min(step, list.size() - from));
            TouchOutcome outcome = chunks.touch(slice, task);
            touched += outcome.touched();
            missing += outcome.absent().length;
            opened += outcome.directoriesOpened();
        }
        double took = seconds(began);
        return new Run(0, touched, missing, opened, took, took, (processorNanos() - cpu) / 1e9);
    }

    private void listIfWanted(BenchmarkStore store) throws PosixException {
        if (variant.kind() == Variant.Kind.LIST_THEN_DIRECT) {
            OtherTouch.listAll(store.files(), store.chunkDirectory());
        }
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    /** Processor time of this process, all threads. */
    static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
