package dev.holdfast.datastore.gc;

import dev.holdfast.datastore.chunk.SweepEntry;
import dev.holdfast.datastore.chunk.SweepPolicy;
import dev.holdfast.datastore.chunk.SweepVerdict;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.time.Clock;

/**
 * Phase 2 as a policy: judges every file and counts. When the clocks go wrong during the sweep, it keeps
 * everything from then on. Safe for use by any thread.
 */
final class GcSweep implements SweepPolicy {

    /** So many files pass between two looks at the clocks. */
    private static final int CLOCK_INTERVAL = 256;

    private final Judgement judgement;
    private final ClockGuard guard;
    private final Clock clock;
    private final SweepFindings findings;
    private final SweepFigures figures;
    private int untilClock;
    private boolean halted;

    GcSweep(Judgement judgement, ClockGuard guard, Clock clock, SweepFindings findings, SweepFigures figures) {
        this.judgement = judgement;
        this.guard = guard;
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
        if (untilClock-- == 0) {
            untilClock = CLOCK_INTERVAL;
            halted |= !guard.isSteady();
        }
        if (halted) {
            return SweepVerdict.KEEP;
        }
        return entry.kind() == SweepEntry.Kind.EXPECTED_MARK ? SweepVerdict.REMOVE : judgement.judge(entry);
    }

    @Override
    public void done(SweepEntry entry, SweepVerdict verdict) {
        if (entry.kind() == SweepEntry.Kind.EXPECTED_MARK) {
            return;
        }
        boolean bad = entry.kind() == SweepEntry.Kind.BAD;
        figures.count(bad, verdict, entry.size());
        findings.consider(entry, verdict, clock);
    }

    @Override
    public void failed(SweepEntry entry) {
        if (entry.kind() == SweepEntry.Kind.BAD) {
            figures.badStays();
        }
    }

    /** Whether the clocks went wrong, and something may have been kept that should have gone. */
    synchronized boolean isHalted() {
        return halted;
    }

    static String relative(DatastoreLayout layout, SweepEntry entry) {
        String path = entry.path();
        String root = layout.root() + "/";
        return path.startsWith(root) ? path.substring(root.length()) : path;
    }
}
