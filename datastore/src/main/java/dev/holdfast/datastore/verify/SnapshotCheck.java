package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.LockTimeoutException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.error.WrongKeyException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.SnapshotDirectory;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.datastore.verify.VerifyReport.Kind;
import dev.holdfast.datastore.verify.VerifyReport.SnapshotResult;
import dev.holdfast.datastore.verify.VerifyReport.State;
import java.util.List;

/**
 * Checks one snapshot after the other under its shared lock, and records the result. Needs no key: of encrypted content,
 * containers and checksums are checked. One thread.
 */
final class SnapshotCheck {

    private static final String MANIFEST = "index.json.blob";

    private final VerifyLedger ledger;
    private final VerifyPipeline pipeline;
    private final VerifyProgress progress;
    private final VerifyOptions.Effects effects;
    private final TaskContext task;

    SnapshotCheck(
            VerifyLedger ledger,
            VerifyPipeline pipeline,
            VerifyProgress progress,
            VerifyOptions.Effects effects,
            TaskContext task) {
        this.ledger = ledger;
        this.pipeline = pipeline;
        this.progress = progress;
        this.effects = effects;
        this.task = task;
    }

    SnapshotResult run(SnapshotDirectory directory) throws DatastoreException {
        task.log("verify " + SnapshotVerifier.name(directory));
        Findings findings = new Findings();
        SnapshotReader reader;
        try {
            reader = directory.open(null);
        } catch (LockTimeoutException e) {
            return skipped(directory, "in use: " + e.getMessage());
        } catch (SnapshotMissingException e) {
            if (isGone(directory)) {
                return skipped(directory, "it vanished");
            }
            findings.file(Kind.DAMAGED_FILE, MANIFEST, String.valueOf(e.getMessage()));
            return result(directory, findings);
        } catch (DatastoreException e) {
            findings.file(kind(e), MANIFEST, String.valueOf(e.getMessage()));
            return result(directory, findings);
        }
        try (reader) {
            for (ManifestEntry entry : reader.manifest().files()) {
                task.checkAbort();
                check(reader, entry, findings);
            }
            record(directory, findings);
        }
        return result(directory, findings);
    }

    private void check(SnapshotReader reader, ManifestEntry entry, Findings findings) throws DatastoreException {
        String archive = entry.name().text();
        task.log("  check " + archive);
        long before = progress.done();
        long errors = findings.errors();
        try {
            if (entry.name().isIndex()) {
                try (IndexReader index = reader.index(entry.name())) {
                    new IndexVerifier(ledger, pipeline, progress, findings, entry).verify(index);
                }
            } else {
                checkBlob(reader, entry);
            }
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            findings.file(kind(e), archive, String.valueOf(e.getMessage()));
        }
        progress.setTo(before + entry.size());
        if (findings.errors() > errors) {
            task.warn("  " + archive + " has " + (findings.errors() - errors) + " errors");
        }
    }

    /** Length, checksum, container and CRC are compared before the key is missed. */
    private static void checkBlob(SnapshotReader reader, ManifestEntry entry) throws DatastoreException {
        try {
            var unused = reader.blob(entry.name());
        } catch (WrongKeyException e) {
            if (entry.cryptMode() != CryptMode.ENCRYPT) {
                throw e;
            }
        }
    }

    private static Kind kind(DatastoreException e) {
        return e instanceof FormatException ? Kind.DAMAGED_FILE : Kind.UNREADABLE_FILE;
    }

    private static boolean isGone(SnapshotDirectory directory) {
        try {
            return !directory.exists();
        } catch (DatastoreException e) {
            return false;
        }
    }

    private void record(SnapshotDirectory directory, Findings findings) {
        String upid = task.upid();
        if (effects == VerifyOptions.Effects.READ_ONLY) {
            return;
        }
        if (upid.isEmpty()) {
            // The state names the task by its id; a state without one counts as none.
            task.warn("  the result is not recorded: this run is no task");
            return;
        }
        boolean good = findings.errors() == 0;
        try {
            directory.updateManifest(manifest -> VerifyState.record(manifest, upid, good));
        } catch (DatastoreException e) {
            findings.file(Kind.NOT_RECORDED, MANIFEST, "the result could not be recorded: " + e.getMessage());
        }
    }

    private SnapshotResult skipped(SnapshotDirectory directory, String reason) {
        task.log("  skipped: " + reason);
        return new SnapshotResult(directory.namespace(), directory.id(), State.SKIPPED, List.of(), 0, reason);
    }

    private SnapshotResult result(SnapshotDirectory directory, Findings findings) {
        State state = findings.errors() == 0 ? State.OK : State.FAILED;
        if (state == State.FAILED) {
            task.warn(SnapshotVerifier.name(directory) + " failed: "
                    + findings.listed().get(0).reason());
        }
        return new SnapshotResult(
                directory.namespace(), directory.id(), state, findings.listed(), findings.errors(), "");
    }
}
