package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Phase 2 as a policy that removes nothing: it tells what a real run would do. Safe for use by any thread. */
final class DrySweep implements SweepPolicy {

    private final Judgement judgement;
    private final DatastoreLayout layout;
    private final Clock clock;
    private final SweepFindings findings;
    private final SweepFigures figures;
    private final List<String> candidates = new ArrayList<>();

    DrySweep(Judgement judgement, DatastoreLayout layout, Clock clock, SweepFindings findings, SweepFigures figures) {
        this.judgement = judgement;
        this.layout = layout;
        this.clock = clock;
        this.findings = findings;
        this.figures = figures;
    }

    @Override
    public void absentPrefix(int prefix) throws DatastoreException {
        judgement.absentPrefix(prefix);
    }

    @Override
    public boolean keepsByName(SweepEntry entry) {
        return judgement.keepsByName(entry);
    }

    @Override
    public void skipped(SweepEntry entry) {
        judgement.skipped(entry);
    }

    @Override
    public synchronized SweepVerdict judge(SweepEntry entry) {
        if (entry.kind() == SweepEntry.Kind.EXPECTED_MARK) {
            return SweepVerdict.KEEP;
        }
        SweepVerdict verdict = judgement.judge(entry);
        figures.count(entry.kind() == SweepEntry.Kind.BAD, verdict, entry.size());
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

    /** What would go, sorted. */
    synchronized List<String> candidates() {
        candidates.sort(null);
        return List.copyOf(candidates);
    }
}
