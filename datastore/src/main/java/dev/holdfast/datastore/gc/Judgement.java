package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a file: one code for a real run and for a dry one, for marks in access times and in a set. It
 * changes no file.
 *
 * <p>A chunk in its own place whose digest is in the set is in use; everything else is judged by its access time. A bad
 * chunk with a digest in the set is in use while the good one is absent. What may go by its access time waits for the end of
 * its grace, if it is a chunk in its own place. Safe for use by any thread.
 */
final class Judgement {

    private final GcPlan plan;
    private final @Nullable UsedChunks used;
    private final UsageSample sample;
    private final GraceBook grace;
    private final PendingTimes pending;
    private final ChunkStore chunks;
    private final ThreadLocal<byte[]> digests = ThreadLocal.withInitial(() -> new byte[ChunkDigest.BYTES]);

    /** @param used the set; null where the marks are in the access times */
    Judgement(GcPlan plan, @Nullable UsedChunks used, UsageSample sample, GraceBook grace, ChunkStore chunks) {
        this.plan = plan;
        this.used = used;
        this.sample = sample;
        this.grace = grace;
        this.pending = new PendingTimes(plan.start());
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
        boolean bad = entry.kind() == SweepEntry.Kind.BAD;
        byte[] digest = digestOf(entry);
        if (used != null && !entry.misplaced()) {
            if (bad && used.contains(digest) && isAbsent(ChunkDigest.of(digest.clone()))) {
                return SweepVerdict.KEEP;
            }
            if (!bad && used.see(digest)) {
                sample.known(entry.size());
                return SweepVerdict.KEEP;
            }
        }
        SweepVerdict verdict = plan.judge(entry.accessSeconds());
        if (verdict == SweepVerdict.KEEP) {
            return verdict;
        }
        long at = plan.removableAt(entry.accessSeconds());
        if (!bad && !entry.misplaced()) {
            long graceOver = grace.unreferenced(digest, entry.accessSeconds());
            if (verdict == SweepVerdict.REMOVE && graceOver > plan.start()) {
                verdict = SweepVerdict.PENDING;
            } else if (verdict == SweepVerdict.REMOVE) {
                grace.gone(digest);
            }
            at = Math.max(at, graceOver);
        }
        if (verdict == SweepVerdict.PENDING) {
            pending.add(bad, entry.size(), at);
        }
        return verdict;
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

    /** What has been found unreferenced. */
    GraceBook grace() {
        return grace;
    }

    /** When what is pending becomes removable. */
    List<GcReport.Removable> removable() {
        return pending.list();
    }

    /** Knows of the chunks that were kept by their names. */
    UsageSample sample() {
        return sample;
    }
}
