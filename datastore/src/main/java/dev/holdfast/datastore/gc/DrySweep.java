package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Phase 2 as a policy that removes nothing: it tells what a real run would do. A used chunk in its own place is kept, as if
 * the mark had touched it; everything else is judged by its access time. A bad chunk whose digest is used is kept only if
 * the good one is absent, which is known when all files have been seen. Safe for use by any thread.
 */
final class DrySweep implements SweepPolicy {

    private record Bad(byte[] digest, long size, SweepVerdict verdict, String path) {}

    private final GcPlan plan;
    private final MarkSet used;
    private final DatastoreLayout layout;
    private final Clock clock;
    private final SweepFindings findings;
    private final SweepFigures figures = new SweepFigures();
    private final List<String> candidates = new ArrayList<>();
    private final List<Bad> undecided = new ArrayList<>();
    private final byte[] digest = new byte[ChunkDigest.BYTES];

    DrySweep(GcPlan plan, MarkSet used, DatastoreLayout layout, Clock clock, SweepFindings findings) {
        this.plan = plan;
        this.used = used;
        this.layout = layout;
        this.clock = clock;
        this.findings = findings;
    }

    @Override
    public synchronized SweepVerdict judge(SweepEntry entry) {
        if (entry.kind() == SweepEntry.Kind.EXPECTED_MARK) {
            return SweepVerdict.KEEP;
        }
        SweepVerdict byTime = plan.judge(entry.accessSeconds());
        boolean bad = entry.kind() == SweepEntry.Kind.BAD;
        boolean ownPlace = !entry.misplaced();
        entry.copyDigest(digest, 0);
        if (bad && ownPlace && used.contains(digest, 0)) {
            undecided.add(new Bad(digest.clone(), entry.size(), byTime, GcSweep.relative(layout, entry)));
            return SweepVerdict.KEEP;
        }
        SweepVerdict verdict = !bad && ownPlace && used.see(digest, 0) ? SweepVerdict.KEEP : byTime;
        figures.count(bad, verdict, entry.size());
        findings.consider(entry, verdict, clock);
        if (verdict == SweepVerdict.REMOVE) {
            candidates.add(GcSweep.relative(layout, entry));
            return SweepVerdict.PENDING;
        }
        return verdict;
    }

    @Override
    public void done(SweepEntry entry, SweepVerdict verdict) {}

    @Override
    public void failed(SweepEntry entry) {
        throw new IllegalStateException("a dry run removes nothing, and so " + entry.path() + " cannot have failed");
    }

    /** Decides about the bad chunks that were left, once all files have been seen. */
    synchronized void finish(GcWarnings warnings) {
        for (Bad bad : undecided) {
            SweepVerdict verdict = used.isUnseen(bad.digest(), 0) ? SweepVerdict.KEEP : bad.verdict();
            figures.count(true, verdict, bad.size());
            if (verdict == SweepVerdict.REMOVE) {
                candidates.add(bad.path());
            } else if (verdict == SweepVerdict.KEEP) {
                warnings.add(
                        "leftover-bad",
                        bad.path(),
                        "bad chunk " + bad.path()
                                + " is kept: an index still needs the chunk, and there is no good one");
            }
        }
        undecided.clear();
        candidates.sort(null);
    }

    synchronized List<String> candidates() {
        return List.copyOf(candidates);
    }

    SweepFigures figures() {
        return figures;
    }
}
