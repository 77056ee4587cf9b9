package dev.holdfast.benchmarks;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.gc.GarbageCollector;
import dev.holdfast.datastore.index.FixedIndexWriter;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Phase 1 up to the point of touching, for as many digests as wanted: a store of indexes without a single chunk, whose
 * touch answers at once that all are there. Prints one CSV line.
 *
 * <p>The first snapshot of each group has index files of its own; the others are further names of the same files, which the
 * collector opens and reads one by one like any file. So a dedup factor of ten costs the disk of one.
 *
 * <p>Memory is what the heap holds after a full collection of garbage when the mark is over: its arrays, and what was there
 * before, which is given too. The sweep is not run.
 */
final class ScaleBenchmark {

    private static final Set<String> OPTIONS = Set.of("root", "make", "digests", "dedup", "marking", "batch", "cache");

    /** The names of what is printed. */
    private static final String COLUMNS = "marking,digests,references,touched,mark_s,cpu_s,heap_before_mb,heap_mb";

    /** An index of this many records stands for an image of a terabyte. */
    private static final int RECORDS_PER_INDEX = 250_000;

    private final Options options;
    private final Path root;

    private ScaleBenchmark(Options options) {
        this.options = options;
        root = Path.of(options.required("root"));
    }

    /**
     * Options: {@code --root DIR --make yes --digests N [--dedup 10]} makes the store; {@code --root DIR --marking
     * access-time|mark-set|dry-run [--batch N] [--cache N]} measures it. {@code --marking columns} prints the names.
     */
    public static void main(String[] words) throws DatastoreException, PosixException {
        Options options = Options.parse(words, OPTIONS);
        if (options.text("marking", "").equals("columns")) {
            System.out.println(COLUMNS);
            return;
        }
        ScaleBenchmark benchmark = new ScaleBenchmark(options);
        if (options.has("make")) {
            benchmark.make();
        } else {
            System.out.println(benchmark.measure());
        }
    }

    private void make() throws DatastoreException, PosixException {
        long digests = options.number("digests", 1_000_000, 1, 200_000_000);
        int dedup = (int) options.number("dedup", 10, 1, 1000);
        PosixFiles files = JnrPosixFiles.load();
        DatastoreLayout layout = new DatastoreLayout(root);
        files.makeDirectory(root, DatastoreLayout.ROOT_MODE);
        files.makeDirectory(layout.chunks(), DatastoreLayout.CHUNK_DIRECTORY_MODE);
        IndexTree tree = new IndexTree(files, layout);
        SplittableRandom random = new SplittableRandom(digests);
        byte[] digest = new byte[ChunkDigest.BYTES];
        int group = 0;
        for (long made = 0; made < digests; made += RECORDS_PER_INDEX) {
            long records = Math.min(RECORDS_PER_INDEX, digests - made);
            Path first = tree.snapshotDirectory(group, 0).resolve("drive-scsi0.img.fidx");
            try (FixedIndexWriter writer = tree.writer(first, records)) {
                for (long record = 0; record < records; record++) {
                    random.nextBytes(digest);
                    writer.set(record, ChunkDigest.of(digest));
                }
                writer.finish();
            }
            for (int snapshot = 1; snapshot < dedup; snapshot++) {
                files.link(first, tree.snapshotDirectory(group, snapshot).resolve(first.getFileName()));
            }
            group++;
        }
    }

    private String measure() throws DatastoreException {
        String marking = options.required("marking");
        DatastoreTuning tuning = DatastoreTuning.of(Map.of(DatastoreTuning.GC_ATIME_SAFETY_CHECK, "no"));
        if (options.has("batch")) {
            tuning = tuning.with(DatastoreTuning.GC_PREFETCH_BATCH_SIZE, options.required("batch"));
        }
        if (options.has("cache")) {
            tuning = tuning.with(DatastoreTuning.GC_CACHE_CAPACITY, options.required("cache"));
        }
        if (marking.equals("mark-set")) {
            tuning = tuning.with("gc-marking", marking);
        }
        try (BenchmarkStore store = new BenchmarkStore(root, tuning, root.resolve(".locks"))) {
            Figures figures = new Figures();
            PresentStore chunks = new PresentStore(store.chunks(), Clock.systemUTC(), figures::markOver);
            CountedReferences task = new CountedReferences();
            figures.begin();
            try {
                GarbageCollector collector = store.collector(chunks);
                var unused = marking.equals("dry-run") ? collector.dryRun(task) : collector.run(task);
            } catch (DatastoreException e) {
                if (figures.running) {
                    throw e;
                }
            }
            return String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%.3f,%.3f,%.1f,%.1f",
                    marking,
                    options.number("digests", 0, 0, Long.MAX_VALUE),
                    task.references,
                    chunks.touched(),
                    figures.seconds,
                    figures.cpuSeconds,
                    figures.heapBefore / 1e6,
                    figures.heapAtEnd / 1e6);
        }
    }

    /** The figures of one mark. */
    private static final class Figures {
        private long began;
        private long cpuBegan;
        private double seconds;
        private double cpuSeconds;
        private long heapBefore;
        private long heapAtEnd;
        private boolean running = true;

        void begin() {
            heapBefore = heapBytes();
            cpuBegan = MarkBenchmark.processorNanos();
            began = System.nanoTime();
        }

        void markOver() {
            seconds = (System.nanoTime() - began) / 1e9;
            cpuSeconds = (MarkBenchmark.processorNanos() - cpuBegan) / 1e9;
            heapAtEnd = heapBytes();
            running = false;
        }

        /** What is in use once everything that can go has gone. */
        private static long heapBytes() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }

    /** Remembers the last progress of the mark. */
    private static final class CountedReferences implements TaskContext {
        private long references;

        @Override
        public void log(String line) {}

        @Override
        public void warn(String line) {}

        @Override
        public void progress(String phase, long done, long total, String unit) {
            if (unit.equals("references")) {
                references = done;
            }
        }

        @Override
        public void checkAbort() {}
    }
}
