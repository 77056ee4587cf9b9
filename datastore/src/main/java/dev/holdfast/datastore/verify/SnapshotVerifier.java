package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.SnapshotCatalog;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.datastore.verify.VerifyReport.SnapshotResult;
import dev.holdfast.datastore.verify.VerifyReport.State;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies snapshots: first lists what is to be done, then does it, newest snapshot of a group first. Each chunk is read
 * once per run, however many snapshots refer to it. An error in one file or snapshot does not keep the others from being
 * checked. Safe for use by any thread; each call is a run of its own.
 */
public final class SnapshotVerifier {

    /** Left out of runs over namespaces: the client's benchmark uploads what is no backup. */
    private static final BackupGroup BENCHMARK = BackupGroup.parse("host/benchmark");

    private final ChunkStore chunks;
    private final SnapshotCatalog catalog;
    private final VerifyOptions options;
    private final Clock clock;

    public SnapshotVerifier(ChunkStore chunks, SnapshotCatalog catalog, VerifyOptions options, Clock clock) {
        this.chunks = chunks;
        this.catalog = catalog;
        this.options = options;
        this.clock = clock;
    }

    /** What is to be verified, and what is known before. */
    private static final class Plan {
        private final List<SnapshotDirectory> snapshots = new ArrayList<>();
        private final List<SnapshotResult> skipped = new ArrayList<>();
        private final List<String> errors = new ArrayList<>();
        private long bytes;
    }

    /**
     * One snapshot.
     *
     * @throws SnapshotMissingException if it is not there
     */
    public VerifyReport verifySnapshot(BackupNamespace namespace, SnapshotId snapshot, TaskContext task)
            throws DatastoreException {
        SnapshotDirectory directory = catalog.snapshot(namespace, snapshot);
        if (!directory.exists()) {
            throw new SnapshotMissingException(snapshot.toString(), "there is no snapshot " + name(directory));
        }
        Plan plan = new Plan();
        plan(directory, plan, task);
        return run(plan, task);
    }

    /**
     * All snapshots of one group.
     *
     * @throws SnapshotMissingException if it is not there
     */
    public VerifyReport verifyGroup(BackupNamespace namespace, BackupGroup group, TaskContext task)
            throws DatastoreException {
        Plan plan = new Plan();
        for (SnapshotId snapshot : catalog.snapshots(namespace, group)) {
            task.checkAbort();
            plan(catalog.snapshot(namespace, snapshot), plan, task);
        }
        return run(plan, task);
    }

    /** All groups of a namespace and, down to {@code maxDepth} levels, of those below it. */
    public VerifyReport verifyNamespace(BackupNamespace namespace, int maxDepth, TaskContext task)
            throws DatastoreException {
        Plan plan = new Plan();
        for (BackupNamespace each : catalog.namespaces(namespace, maxDepth)) {
            for (BackupGroup group : catalog.groups(each)) {
                task.checkAbort();
                if (!group.equals(BENCHMARK)) {
                    planGroup(each, group, plan, task);
                }
            }
        }
        return run(plan, task);
    }

    /** Everything. */
    public VerifyReport verifyStore(TaskContext task) throws DatastoreException {
        return verifyNamespace(BackupNamespace.ROOT, BackupNamespace.MAX_DEPTH, task);
    }

    private void planGroup(BackupNamespace namespace, BackupGroup group, Plan plan, TaskContext task)
            throws DatastoreException {
        List<SnapshotId> snapshots;
        try {
            snapshots = catalog.snapshots(namespace, group);
        } catch (SnapshotMissingException e) {
            return; // It vanished after it was listed.
        } catch (DatastoreException e) {
            // One bad group must not keep the others from being verified.
            plan.errors.add("group " + group + " cannot be listed: " + e.getMessage());
            return;
        }
        for (SnapshotId snapshot : snapshots) {
            task.checkAbort();
            plan(catalog.snapshot(namespace, snapshot), plan, task);
        }
    }

    private void plan(SnapshotDirectory directory, Plan plan, TaskContext task) {
        task.progress("list", plan.snapshots.size() + plan.skipped.size() + 1L, -1, "snapshots");
        try {
            BackupManifest manifest = directory.manifest();
            if (options.skip().skips(manifest, clock.instant().getEpochSecond())) {
                plan.skipped.add(new SnapshotResult(
                        directory.namespace(), directory.id(), State.SKIPPED, List.of(), 0, "verified recently"));
                return;
            }
            for (ManifestEntry entry : manifest.files()) {
                // Sizes are whatever a manifest says: the sum is for progress only, and must not wrap.
                plan.bytes = plan.bytes > Long.MAX_VALUE - entry.size() ? Long.MAX_VALUE : plan.bytes + entry.size();
            }
        } catch (DatastoreException e) {
            // Verified all the same: what is wrong with it is found and reported there.
            plan.snapshots.add(directory);
            return;
        }
        plan.snapshots.add(directory);
    }

    private VerifyReport run(Plan plan, TaskContext task) throws DatastoreException {
        VerifyLedger ledger = new VerifyLedger();
        VerifyProgress progress = new VerifyProgress(task, plan.bytes);
        ChunkVerifier verifier = new ChunkVerifier(chunks, ledger, options.effects(), task);
        List<SnapshotResult> results = new ArrayList<>(plan.skipped);
        plan.errors.forEach(task::warn);
        try (VerifyPipeline pipeline = new VerifyPipeline(chunks, verifier, options, task, progress)) {
            SnapshotCheck check = new SnapshotCheck(ledger, pipeline, progress, options.effects(), task);
            for (SnapshotDirectory directory : plan.snapshots) {
                task.checkAbort();
                results.add(check.run(directory));
                progress.report();
            }
        }
        return new VerifyReport(List.copyOf(results), ledger.badChunks(), List.copyOf(plan.errors), ledger.figures());
    }

    static String name(SnapshotDirectory directory) {
        String id = directory.id().toString();
        return directory.namespace().isRoot() ? id : id + " in namespace '" + directory.namespace() + "'";
    }
}
