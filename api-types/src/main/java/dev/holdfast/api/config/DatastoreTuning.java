package dev.holdfast.api.config;

import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.BooleanOption;
import dev.holdfast.api.schema.OptionSchema.ChoiceOption;
import dev.holdfast.api.schema.OptionSchema.IntegerOption;
import dev.holdfast.api.schema.OptionSchema.Text;
import dev.holdfast.api.schema.PropertyString;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * All tuning options of one datastore: an immutable value. Options that are not known are kept as they are, in their
 * place. The schemas here are the only place that knows bounds, defaults and reasons.
 */
public final class DatastoreTuning {

    public static final String CHUNK_ORDER = "chunk-order";
    public static final String SYNC_LEVEL = "sync-level";
    public static final String GC_ATIME_SAFETY_CHECK = "gc-atime-safety-check";
    public static final String GC_ATIME_CUTOFF = "gc-atime-cutoff";
    public static final String GC_CACHE_CAPACITY = "gc-cache-capacity";
    public static final String GC_PREFETCH_BATCH_SIZE = "gc-prefetch-batch-size";
    public static final String GC_MARKING = "gc-marking";
    public static final String GC_GRACE = "gc-grace";
    public static final String GC_TOUCH_WORKERS = "gc-touch-workers";
    public static final String DEFAULT_VERIFICATION_WORKERS = "default-verification-workers";
    public static final String DEFAULT_VERIFICATION_READERS = "default-verification-readers";

    /** A good value of {@code gc-prefetch-batch-size}, for the reason given there. */
    public static final int RECOMMENDED_BATCH_SIZE = 1_048_576;

    private static final List<OptionSchema> OPTIONS = List.of(
            new ChoiceOption(
                    CHUNK_ORDER,
                    List.of("inode", "none"),
                    Optional.of("inode"),
                    new Text(
                            "",
                            "Order in which verify reads the chunks of an index. By inode number, a spinning disk seeks"
                                    + " less; 'none' reads in index order and saves the look at each inode first.")),
            new ChoiceOption(
                    SYNC_LEVEL,
                    List.of("none", "file", "filesystem"),
                    Optional.of("filesystem"),
                    new Text(
                            "",
                            "How far a backup has reached the disk when it is reported as done. 'filesystem' syncs once"
                                    + " at the end, 'file' syncs each chunk and its directory (slow, but nothing is"
                                    + " lost before the end either), 'none' leaves it to the operating system.")),
            new BooleanOption(
                    GC_ATIME_SAFETY_CHECK,
                    true,
                    new Text(
                            "",
                            "Whether garbage collection first proves that the filesystem keeps access times. Where it"
                                    + " does not, chunks in use look old and would be removed. Switch it off only on"
                                    + " a filesystem that is known to keep them.")),
            new IntegerOption(
                    GC_ATIME_CUTOFF,
                    1,
                    2880,
                    OptionalLong.of(1445),
                    new Text(
                            "minutes",
                            "How long a chunk stays after it was last touched. The default, 24 hours and 5 minutes, is"
                                    + " safe also where a filesystem updates access times once a day only (relatime)."
                                    + " At least 1, because a running insert must never look old; more than two days"
                                    + " only delays the removal of garbage.")),
            new IntegerOption(
                    GC_CACHE_CAPACITY,
                    0,
                    8_388_608,
                    OptionalLong.of(1_048_576),
                    new Text(
                            "digests",
                            "How many recently marked digests garbage collection remembers, so that a chunk that many"
                                    + " indexes share is not touched for each of them. At most 64 bytes of memory"
                                    + " each; 0 switches the cache off. The greatest value needs half a gigabyte.")),
            new IntegerOption(
                    GC_PREFETCH_BATCH_SIZE,
                    1024,
                    16_777_216,
                    OptionalLong.empty(),
                    new Text(
                            "digests",
                            "Unset: each chunk is touched when it is first met, in the order of the indexes, which on a"
                                    + " cold disk is one random read each. Set: touches are deferred, and applied in"
                                    + " batches of this size, sorted, directory by directory. At least 1024, because"
                                    + " a smaller batch, spread over 65536 directories, has hardly two chunks in one;"
                                    + " at most 16777216, which is 256 chunks for each directory, so that opening it"
                                    + " hardly counts any more, and a gigabyte of memory. Recommended: 1048576,"
                                    + " sixteen chunks for each directory, for 64 MiB of memory at most.")),
            new ChoiceOption(
                    GC_MARKING,
                    List.of("access-time", "mark-set"),
                    Optional.of("access-time"),
                    new Text(
                            "",
                            "How garbage collection remembers which chunks are used. 'access-time' touches each of them,"
                                    + " as Proxmox Backup Server does: nothing but a cache in memory, one inode read"
                                    + " and written a chunk, and every used chunk stays for another gc-atime-cutoff"
                                    + " after its last index is gone. 'mark-set' keeps them in memory, 8 bytes a"
                                    + " distinct chunk, and looks only at the inodes of chunks that no index names:"
                                    + " much faster on a large store. Without touches, a chunk goes with the first"
                                    + " collection after its last index; set gc-grace where it should stay longer.")),
            new IntegerOption(
                    GC_GRACE,
                    0,
                    525_600,
                    OptionalLong.of(0),
                    new Text(
                            "minutes",
                            "How long a chunk that no index names stays after the garbage collection that first found"
                                    + " it so, whatever its access time. 0 removes it as soon as its access time"
                                    + " allows. At most a year: longer only keeps garbage. Takes 60 bytes of memory"
                                    + " for each such chunk, and 40 in the file .gc-grace.")),
            new IntegerOption(
                    GC_TOUCH_WORKERS,
                    1,
                    32,
                    OptionalLong.of(8),
                    new Text(
                            "threads",
                            "How many threads garbage collection uses to apply a batch of touches and to sweep, each on"
                                    + " its own range of directories. Most of a touch on a cold disk is waiting, and"
                                    + " flash, network storage and arrays answer many at a time, so this may exceed"
                                    + " the number of cores. At least one must work; beyond 32 nothing was gained"
                                    + " that a disk could give.")),
            new IntegerOption(
                    DEFAULT_VERIFICATION_WORKERS,
                    1,
                    32,
                    OptionalLong.of(4),
                    new Text(
                            "threads",
                            "How many threads verify uses to decompress and hash. One for each core is enough. At"
                                    + " least one must work; 32 is the bound of Proxmox Backup Server.")),
            new IntegerOption(
                    DEFAULT_VERIFICATION_READERS,
                    1,
                    32,
                    OptionalLong.of(1),
                    new Text(
                            "threads",
                            "How many threads verify uses to read chunks. One for a spinning disk, more for flash and"
                                    + " network storage. At least one must read; 32 is the bound of Proxmox Backup"
                                    + " Server.")));

    /** Every option at its default. */
    public static final DatastoreTuning DEFAULTS = new DatastoreTuning(Map.of());

    private final Map<String, String> values;

    private DatastoreTuning(Map<String, String> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The schemas of all options that are known, in the order in which they are shown. */
    public static List<OptionSchema> options() {
        return OPTIONS;
    }

    /** The schema of an option, or empty if it is not known. */
    public static Optional<OptionSchema> option(String name) {
        return OPTIONS.stream().filter(o -> o.name().equals(name)).findFirst();
    }

    /**
     * Takes values from a configuration file; unknown keys are kept, and a key without a value (null) is not set.
     *
     * @throws dev.holdfast.api.schema.SchemaViolationException for a known option out of its bounds
     */
    public static DatastoreTuning of(Map<String, ?> values) {
        Map<String, String> checked = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (value != null) {
                String text = value.toString();
                checked.put(key, option(key).map(o -> o.check(text)).orElse(text));
            }
        });
        return checked.isEmpty() ? DEFAULTS : new DatastoreTuning(checked);
    }

    /** Parses a property string such as {@code gc-atime-cutoff=60,sync-level=file}; unknown keys are kept. */
    public static DatastoreTuning parse(String propertyString) {
        return of(PropertyString.parse(propertyString, ""));
    }

    /** The property string of what is set. */
    public String toPropertyString() {
        return PropertyString.format(values);
    }

    /** What is set, as canonical text, in its order; unmodifiable. */
    public Map<String, String> values() {
        return values;
    }

    /** What is set, in its order, known numbers and booleans as such: the form for YAML and JSON; unmodifiable. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        values.forEach((key, value) -> map.put(key, typed(key, value)));
        return Collections.unmodifiableMap(map);
    }

    private static Object typed(String key, String value) {
        OptionSchema schema = option(key).orElse(null);
        if (schema instanceof IntegerOption) {
            return Long.valueOf(value);
        }
        return schema instanceof BooleanOption ? Boolean.valueOf(value) : value;
    }

    /**
     * A copy with one known option set.
     *
     * @throws IllegalArgumentException if the option is not known, or the value out of its bounds
     */
    public DatastoreTuning with(String name, String value) {
        OptionSchema schema = option(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no tuning option '" + name + "'; known are "
                        + String.join(
                                ", ", OPTIONS.stream().map(OptionSchema::name).toList())));
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(name, schema.check(value));
        return new DatastoreTuning(changed);
    }

    /** A copy with one option, known or not, unset. */
    public DatastoreTuning without(String name) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.remove(name);
        return new DatastoreTuning(changed);
    }

    /** Whether an option is set, be it to its default. */
    public boolean isSet(String option) {
        return values.containsKey(option);
    }

    public ChunkOrder chunkOrder() {
        return ChunkOrder.parse(effective(CHUNK_ORDER));
    }

    public SyncLevel syncLevel() {
        return SyncLevel.parse(effective(SYNC_LEVEL));
    }

    public boolean gcAtimeSafetyCheck() {
        return Boolean.parseBoolean(effective(GC_ATIME_SAFETY_CHECK));
    }

    /** Minutes. */
    public int gcAtimeCutoffMinutes() {
        return Integer.parseInt(effective(GC_ATIME_CUTOFF));
    }

    /** Entries; 0 for no cache. */
    public int gcCacheCapacity() {
        return Integer.parseInt(effective(GC_CACHE_CAPACITY));
    }

    /** Digests per batch; empty for direct marking. */
    public OptionalInt gcPrefetchBatchSize() {
        String value = values.get(GC_PREFETCH_BATCH_SIZE);
        return value == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value));
    }

    /** How phase 1 of garbage collection remembers what is used. */
    public GcMarking gcMarking() {
        return GcMarking.parse(effective(GC_MARKING));
    }

    /** Minutes; 0 for no grace. */
    public int gcGraceMinutes() {
        return Integer.parseInt(effective(GC_GRACE));
    }

    /** Threads that apply one batch of touches, or one sweep. */
    public int gcTouchWorkers() {
        return Integer.parseInt(effective(GC_TOUCH_WORKERS));
    }

    /** Threads that decode and hash. */
    public int defaultVerificationWorkers() {
        return Integer.parseInt(effective(DEFAULT_VERIFICATION_WORKERS));
    }

    /** Threads that read. */
    public int defaultVerificationReaders() {
        return Integer.parseInt(effective(DEFAULT_VERIFICATION_READERS));
    }

    private String effective(String name) {
        String value = values.get(name);
        return value != null ? value : option(name).orElseThrow().defaultText().orElseThrow();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DatastoreTuning that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return toPropertyString();
    }
}
