package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a file: one code for a real run and for a dry one, for marks in access times and in a set. It
 * changes no file.
 *
 * <p>A chunk in its own place whose digest is in the set is in use; everything else is judged by its access time. A bad
 * chunk with a digest in the set is in use while the good one is absent. Safe for use by any thread.
 */
final class Judgement {

    private final GcPlan plan;
    private final @Nullable UsedChunks used;
    private final UsageSample sample;
    private final ChunkStore chunks;
    private final ThreadLocal<byte[]> digests = ThreadLocal.withInitial(() -> new byte[ChunkDigest.BYTES]);

    /** @param used the set; null where the marks are in the access times */
    Judgement(GcPlan plan, @Nullable UsedChunks used, UsageSample sample, ChunkStore chunks) {
        this.plan = plan;
        this.used = used;
        this.sample = sample;
        this.chunks = chunks;
    }

    /** As in {@link dev.holdfast.datastore.chunk.SweepPolicy}. */
    void absentPrefix(int prefix) throws SafetyException {
        if (used != null) {
            used.requireUnused(prefix);
        }
    }

    /** Whether a file is known to be in use without a look at it. */
    boolean keepsByName(SweepEntry entry) {
        if (used == null || entry.kind() != SweepEntry.Kind.CHUNK || entry.misplaced()) {
            return false;
        }
        byte[] digest = digestOf(entry);
        if (!used.see(digest) || sample.includes((digest[0] & 0xff) << 8 | digest[1] & 0xff)) {
            return false;
        }
        sample.unknown();
        return true;
    }

    /** Something that is no regular file has the name of a chunk; it is left alone. */
    void skipped(SweepEntry entry) {
        if (used != null && entry.kind() == SweepEntry.Kind.CHUNK && !entry.misplaced()) {
            // It is there, so nobody needs to look for it.
            boolean unused = used.see(digestOf(entry));
        }
    }

    /** The verdict on a chunk or bad chunk. */
    SweepVerdict judge(SweepEntry entry) {
        SweepVerdict byTime = plan.judge(entry.accessSeconds());
        if (entry.misplaced()) {
            return byTime;
        }
        if (used == null) {
            return byTime;
        }
        byte[] digest = digestOf(entry);
        if (entry.kind() == SweepEntry.Kind.BAD) {
            return used.contains(digest) && isAbsent(ChunkDigest.of(digest.clone())) ? SweepVerdict.KEEP : byTime;
        }
        if (used.see(digest)) {
            sample.known(entry.size());
            return SweepVerdict.KEEP;
        }
        return byTime;
    }

    private byte[] digestOf(SweepEntry entry) {
        byte[] digest = digests.get();
        entry.copyDigest(digest, 0);
        return digest;
    }

    /** Whether the good chunk is absent, or may be: then the bad one is all there is. */
    private boolean isAbsent(ChunkDigest digest) {
        try {
            return chunks.stat(digest).isEmpty();
        } catch (DatastoreException e) {
            return true;
        }
    }

    /** After the sweep: names used chunks that it has not come by. */
    void reportMissing(GcStore store, GcRun run) throws DatastoreException {
        if (used != null) {
            used.reportMissing(store, run);
        }
    }

    /** Knows of the chunks that were kept by their names. */
    UsageSample sample() {
        return sample;
    }
}
