package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.task.TaskContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings of a run. Of each kind, the first {@link #MAX_PER_KIND} are kept and logged, each once however often it comes;
 * the rest are counted. Safe for use by any thread.
 */
final class GcWarnings {

    /** So many findings of one kind are named. */
    static final int MAX_PER_KIND = 5000;

    private record Key(String kind, String what) {}

    private static final class Finding {
        final String digest;
        final String path;
        long count = 1;

        Finding(String digest, String path) {
            this.digest = digest;
            this.path = path;
        }
    }

    private final TaskContext task;
    private final Map<Key, Finding> named = new LinkedHashMap<>();
    private final Map<String, Long> perKind = new LinkedHashMap<>();
    private final Map<String, Long> unnamed = new LinkedHashMap<>();

    GcWarnings(TaskContext task) {
        this.task = task;
    }

    /** A finding about a path, relative to the store's root; empty if it is about the run. */
    synchronized void add(String kind, String path, String sentence) {
        add(new Key(kind, path), new Finding("", path), sentence);
    }

    /** A chunk that an index names and that is certainly absent: one finding a digest, whichever index it was. */
    synchronized void missingChunk(ChunkDigest digest, String index) {
        String name = digest.toString();
        add(
                new Key("missing-chunk", name),
                new Finding(name, index),
                "chunk " + name + " is missing; index " + index + " needs it. Verify tells which snapshots are hurt");
    }

    private void add(Key key, Finding finding, String sentence) {
        Finding known = named.get(key);
        if (known != null) {
            known.count++;
            return;
        }
        if (perKind.merge(key.kind(), 1L, Long::sum) <= MAX_PER_KIND) {
            named.put(key, finding);
            task.warn(sentence);
        } else {
            unnamed.merge(key.kind(), 1L, Long::sum);
        }
    }

    /** How many findings of a kind there are, named or not. */
    synchronized long count(String kind) {
        return perKind.getOrDefault(kind, 0L);
    }

    /** Everything found, in the order found; what was only counted comes last, one line a kind. */
    synchronized List<GcReport.Warning> list() {
        List<GcReport.Warning> all = new ArrayList<>(named.size() + unnamed.size());
        named.forEach((key, finding) ->
                all.add(new GcReport.Warning(key.kind(), finding.digest, finding.path, finding.count)));
        unnamed.forEach((kind, count) -> all.add(new GcReport.Warning(kind, "", "", count)));
        return List.copyOf(all);
    }
}
