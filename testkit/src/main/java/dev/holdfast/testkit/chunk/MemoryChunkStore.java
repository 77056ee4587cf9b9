package dev.holdfast.testkit.chunk;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobMagic;
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
import dev.holdfast.datastore.error.ChunkConflictException;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.lock.ChunkLocks;
import dev.holdfast.datastore.task.TaskContext;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Chunks as entries of a map, named as files are on disk ({@code <hex>}, {@code <hex>.0.bad}), with access times by a clock
 * that the test gives.
 */
public final class MemoryChunkStore implements ChunkStore {

    private static final int BAD_COPIES = 10;

    private record StoredFile(byte[] content, Instant access, long inode) {
        StoredFile touched(Instant now) {
            return new StoredFile(content, now, inode);
        }
    }

    private final ConcurrentSkipListMap<String, StoredFile> files = new ConcurrentSkipListMap<>();
    private final AtomicLong inodes = new AtomicLong(1);
    private final ChunkLocks locks = new ChunkLocks();
    private final Clock clock;

    public MemoryChunkStore(Clock clock) {
        this.clock = clock;
    }

    /** Puts a file in place as it is, whatever lies there. */
    public void plant(String name, byte[] content, Instant access) {
        files.put(name, new StoredFile(content, access, inodes.getAndIncrement()));
    }

    /** Sets the access time of a file that exists. */
    public void setAccess(String name, Instant access) {
        if (files.computeIfPresent(name, (key, file) -> file.touched(access)) == null) {
            throw new IllegalArgumentException("no file " + name);
        }
    }

    @Override
    public InsertOutcome insert(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        locks.lock(digest.prefix());
        try {
            StoredFile old = files.get(digest.toString());
            if (old != null && keeps(digest, old.content(), blob)) {
                touch(digest.toString());
                return new InsertOutcome(InsertOutcome.Kind.EXISTED, old.content().length);
            }
            plant(digest.toString(), blob.encoded(), clock.instant());
            return new InsertOutcome(
                    InsertOutcome.Kind.INSERTED, blob.size(), old != null && old.content().length == 0);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    private static boolean keeps(ChunkDigest digest, byte[] old, DataBlob blob) throws ChunkConflictException {
        if (old.length == blob.size()) {
            return true;
        }
        if (old.length == 0) {
            return false;
        }
        if (!blob.isEncrypted()) {
            return old.length < blob.size();
        }
        BlobMagic magic = old.length < BlobMagic.BYTES ? null : BlobMagic.of(old);
        if (magic != null && !magic.isEncrypted() || magic == BlobMagic.ENCRYPTED && !blob.isCompressed()) {
            throw new ChunkConflictException(digest, "chunk " + digest + " must not be replaced by this one");
        }
        return true;
    }

    @Override
    public DataBlob load(ChunkDigest digest) throws DatastoreException {
        StoredFile file = files.get(digest.toString());
        if (file == null) {
            throw new ChunkMissingException(digest, "chunk " + digest + " is missing");
        }
        if (file.content().length > DataBlob.MAX_ENCODED_CHUNK_BYTES) {
            throw new ChunkCorruptException(digest, "chunk " + digest + " is too large");
        }
        try {
            return DataBlob.parse(file.content(), digest.toString());
        } catch (FormatException e) {
            throw new ChunkCorruptException(digest, "chunk " + digest + " is damaged: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<ChunkStat> stat(ChunkDigest digest) {
        return Optional.ofNullable(files.get(digest.toString()))
                .map(file -> new ChunkStat(
                        file.content().length,
                        file.access().getEpochSecond(),
                        file.access().getNano(),
                        file.inode()));
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        int[] absent = new int[batch.size()];
        int absentCount = 0;
        long badKept = 0;
        byte[] bytes = new byte[ChunkDigest.BYTES];
        for (int i = 0; i < batch.size(); i++) {
            task.checkAbort();
            batch.copyDigest(i, bytes, 0);
            String name = ChunkDigest.of(bytes).toString();
            locks.lock(batch.prefix(i));
            try {
                if (!touch(name)) {
                    absent[absentCount++] = i;
                    badKept += touchBad(name) ? 1 : 0;
                }
            } finally {
                locks.unlock(batch.prefix(i));
            }
        }
        return new TouchOutcome(batch.size() - absentCount, Arrays.copyOf(absent, absentCount), badKept, 0);
    }

    private boolean touchBad(String name) {
        boolean found = false;
        for (int n = 0; n < BAD_COPIES; n++) {
            found |= touch(name + ChunkName.badSuffix(n));
        }
        return found;
    }

    private boolean touch(String name) {
        return files.computeIfPresent(name, (key, file) -> file.touched(clock.instant())) != null;
    }

    @Override
    public SweepOutcome sweep(SweepPolicy policy, TaskContext task) throws DatastoreException {
        long seen = 0;
        long looked = 0;
        for (String name : files.keySet()) {
            task.checkAbort();
            SweepEntry.Kind kind = switch (ChunkName.classify(name.getBytes(StandardCharsets.US_ASCII))) {
                case CHUNK -> SweepEntry.Kind.CHUNK;
                case BAD -> SweepEntry.Kind.BAD;
                case EXPECTED_MARK -> SweepEntry.Kind.EXPECTED_MARK;
                case OTHER -> null;
            };
            if (kind == null) {
                continue;
            }
            switch (judge(name, kind, policy)) {
                case KEPT_BY_NAME -> seen++;
                case JUDGED -> {
                    seen++;
                    looked++;
                }
                case GONE -> {}
            }
        }
        return new SweepOutcome(seen, looked, 0, 0);
    }

    private enum Look {
        GONE,
        KEPT_BY_NAME,
        JUDGED
    }

    private Look judge(String name, SweepEntry.Kind kind, SweepPolicy policy) {
        ChunkDigest digest = ChunkDigest.parse(name.substring(0, ChunkDigest.HEX_DIGITS));
        locks.lock(digest.prefix());
        try {
            StoredFile file = files.get(name);
            if (file == null) {
                return Look.GONE;
            }
            SweepEntry entry = new Entry(name, kind, digest, file);
            if (policy.keepsByName(entry)) {
                return Look.KEPT_BY_NAME;
            }
            SweepVerdict verdict = policy.judge(entry);
            if (verdict == SweepVerdict.REMOVE) {
                files.remove(name);
            }
            policy.done(entry, verdict);
            return Look.JUDGED;
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    private record Entry(String path, Kind kind, ChunkDigest digest, StoredFile file) implements SweepEntry {
        @Override
        public void copyDigest(byte[] target, int offset) {
            digest.copyTo(target, offset);
        }

        @Override
        public long size() {
            return file.content().length;
        }

        @Override
        public long accessSeconds() {
            return file.access().getEpochSecond();
        }

        @Override
        public boolean misplaced() {
            return false;
        }
    }

    @Override
    public OptionalInt quarantine(ChunkDigest digest) {
        locks.lock(digest.prefix());
        try {
            @Nullable StoredFile file = files.remove(digest.toString());
            if (file == null) {
                return OptionalInt.empty();
            }
            int n = 0;
            while (n < BAD_COPIES - 1 && files.containsKey(digest + ChunkName.badSuffix(n))) {
                n++;
            }
            files.put(digest + ChunkName.badSuffix(n), file);
            return OptionalInt.of(n);
        } finally {
            locks.unlock(digest.prefix());
        }
    }

    @Override
    public List<ChunkDigest> readOrder(List<ChunkDigest> digests) {
        return digests.stream()
                .sorted(Comparator.comparingLong(
                        d -> stat(d).map(ChunkStat::inode).orElse(Long.MAX_VALUE)))
                .toList();
    }

    @Override
    public void close() {
        // Nothing to give back.
    }
}
