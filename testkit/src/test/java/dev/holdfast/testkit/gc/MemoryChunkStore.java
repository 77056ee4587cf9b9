package dev.holdfast.testkit.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.InsertOutcome;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepOutcome;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.task.TaskContext;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Chunks as entries of a map, with access times by a clock that a test sets. */
final class MemoryChunkStore implements ChunkStore {

    /** One file. */
    static final class File {
        final long size;
        final long inode;
        Instant access;

        File(long size, long inode, Instant access) {
            this.size = size;
            this.inode = inode;
            this.access = access;
        }
    }

    /** Called before each chunk of a touch. */
    interface TouchHook {
        void before(ChunkDigest digest) throws DatastoreException;
    }

    final Map<String, File> files = new TreeMap<>();
    final List<Integer> touchSizes = new ArrayList<>();
    TouchHook hook = digest -> {};
    Runnable beforeSweepEntry = () -> {};
    boolean ignoreTouches;
    private final Clock clock;
    private long nextInode = 1;

    MemoryChunkStore(Clock clock) {
        this.clock = clock;
    }

    /** Adds a file by its path below the chunk directory. */
    void put(String path, long size, Instant access) {
        files.put(path, new File(size, nextInode++, access));
    }

    void put(ChunkDigest digest, long size, Instant access) {
        put(ChunkName.relative(digest), size, access);
    }

    boolean has(ChunkDigest digest) {
        return files.containsKey(ChunkName.relative(digest));
    }

    @Override
    public InsertOutcome insert(ChunkDigest digest, DataBlob blob) {
        put(digest, blob.size(), clock.instant());
        return new InsertOutcome(InsertOutcome.Kind.INSERTED, blob.size());
    }

    @Override
    public DataBlob load(ChunkDigest digest) throws DatastoreException {
        throw new ChunkMissingException(digest, "no content here: " + digest);
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) {
        File file = files.get(ChunkName.relative(digest));
        return file == null
                ? Optional.empty()
                : Optional.of(
                        new ChunkStat(file.size, file.access.getEpochSecond(), file.access.getNano(), file.inode));
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        touchSizes.add(batch.size());
        List<Integer> absent = new ArrayList<>();
        long touched = 0;
        long badKept = 0;
        byte[] bytes = new byte[ChunkDigest.BYTES];
        for (int i = 0; i < batch.size(); i++) {
            task.checkAbort();
            batch.copyDigest(i, bytes, 0);
            ChunkDigest digest = ChunkDigest.of(bytes);
            hook.before(digest);
            if (touchFile(ChunkName.relative(digest))) {
                touched++;
                continue;
            }
            absent.add(i);
            for (int n = 0; n < 10; n++) {
                badKept += touchFile(ChunkName.relative(digest) + ChunkName.badSuffix(n)) ? 1 : 0;
            }
        }
        return new TouchOutcome(touched, absent.stream().mapToInt(i -> i).toArray(), badKept, 0);
    }

    private boolean touchFile(String path) {
        File file = files.get(path);
        if (file != null && !ignoreTouches) {
            file.access = clock.instant();
        }
        return file != null;
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        long seen = 0;
        long looked = 0;
        for (String path : List.copyOf(files.keySet())) {
            task.checkAbort();
            beforeSweepEntry.run();
            Entry entry = new Entry(path, files.get(path));
            seen++;
            if (policy.keepsByName(entry)) {
                continue;
            }
            looked++;
            SweepVerdict verdict = policy.judge(entry);
            if (verdict == SweepVerdict.REMOVE) {
                files.remove(path);
            }
            policy.done(entry, verdict);
        }
        return new SweepOutcome(seen, looked, 0, 0);
    }

    @Override
    public OptionalInt quarantine(ChunkDigest digest) {
        return OptionalInt.empty();
    }

    @Override
    public List<ChunkDigest> readOrder(List<ChunkDigest> digests) {
        return digests;
    }

    @Override
    public void close() {}

    private record Entry(String path, File file) implements SweepEntry {

        private String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        @Override
        public Kind kind() {
            return name().endsWith(".bad") ? Kind.BAD : name().endsWith(".using") ? Kind.EXPECTED_MARK : Kind.CHUNK;
        }

        @Override
        public ChunkDigest digest() {
            return ChunkDigest.parse(name().substring(0, ChunkDigest.HEX_DIGITS));
        }

        @Override
        public void copyDigest(byte[] target, int offset) {
            digest().copyTo(target, offset);
        }

        @Override
        public long size() {
            return file.size;
        }

        @Override
        public long accessSeconds() {
            return file.access.getEpochSecond();
        }

        @Override
        public boolean misplaced() {
            return !path.startsWith(name().substring(0, 4) + "/");
        }
    }
}
