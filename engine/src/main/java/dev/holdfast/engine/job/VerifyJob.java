package dev.holdfast.engine.job;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.datastore.verify.SkipRule;
import dev.holdfast.datastore.verify.SnapshotVerifier;
import dev.holdfast.datastore.verify.VerifyOptions;
import dev.holdfast.datastore.verify.VerifyReport;
import dev.holdfast.engine.task.TaskListener;
import dev.holdfast.engine.task.TaskOutcome;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and checks the chunks and files of snapshots. */
public final class VerifyJob {

    private final Engine engine;

    /**
     * What to verify.
     *
     * @param scope the part of the store
     * @param snapshot this snapshot alone, of the scope's namespace; null for all
     */
    public record Request(
            String store, Scope scope, @Nullable SnapshotId snapshot) {}

    /**
     * Which snapshots are left out, and what may be written.
     *
     * @param skip which snapshots are left out
     * @param effects what may be written
     */
    public record Policy(Skip skip, @Nullable Integer outdatedAfterDays, Effects effects) {}

    /** Which snapshots are left out. */
    public enum Skip {
        NOTHING,
        VERIFIED
    }

    /** What may be written. */
    public enum Effects {
        RECORD,
        READ_ONLY
    }

    /**
     * What was found.
     *
     * @param chunks chunks that were checked, each once
     * @param bytes encoded bytes that were read
     * @param errors groups that could not be listed, one sentence each
     */
    public record Result(
            String datastore,
            String upid,
            boolean readOnly,
            boolean ok,
            long chunks,
            long bytes,
            long corrupt,
            long missing,
            long unreadable,
            long setAside,
            List<SnapshotResult> snapshots,
            List<BadChunk> badChunks,
            List<String> errors,
            long durationMs) {

        /** Snapshots with this state: {@code ok}, {@code failed} or {@code skipped}. */
        public long count(String state) {
            return snapshots.stream().filter(each -> each.state().equals(state)).count();
        }
    }

    /** One snapshot; {@code skipped} says why, if it was. */
    public record SnapshotResult(
            String ns,
            String snapshot,
            String state,
            @Nullable String skipped,
            long errors,
            List<FindingItem> findings) {}

    /** One thing that is wrong with a snapshot. */
    public record FindingItem(
            String kind,
            String archive,
            @Nullable ChunkDigest digest,
            @Nullable Long offset,
            String reason) {}

    /** One bad chunk, and under which name it was set aside. */
    public record BadChunk(
            ChunkDigest digest,
            String kind,
            String reason,
            @Nullable String badCopy) {}

    public VerifyJob(Engine engine) {
        this.engine = engine;
    }

    public Result run(Request request, Policy policy, TaskListener listener) throws DatastoreException {
        boolean readOnly = policy.effects() == Effects.READ_ONLY;
        long start = engine.clock().millis();
        try (OpenDatastore open =
                engine.datastores().open(request.store(), readOnly ? AccessMode.READ_ONLY : AccessMode.READ_WRITE)) {
            VerifyOptions options = VerifyOptions.of(open.tuning())
                    .withSkip(rule(policy))
                    .withEffects(readOnly ? VerifyOptions.Effects.READ_ONLY : VerifyOptions.Effects.RECORD);
            SnapshotVerifier verifier = new SnapshotVerifier(open.chunks(), open.snapshots(), options, engine.clock());
            TaskOutcome<VerifyReport> outcome = engine.tasks()
                    .run(type(request), id(request), listener, task -> verify(open, verifier, request, task));
            return result(request, outcome, readOnly, engine.clock().millis() - start);
        }
    }

    private static VerifyReport verify(OpenDatastore open, SnapshotVerifier verifier, Request request, TaskContext task)
            throws DatastoreException {
        Scope scope = request.scope();
        if (request.snapshot() != null) {
            return verifier.verifySnapshot(scope.namespace(), request.snapshot(), task);
        }
        if (scope.group() != null) {
            return verifier.verifyGroup(scope.namespace(), scope.group(), task);
        }
        open.requireNamespace(scope.namespace());
        return verifier.verifyNamespace(scope.namespace(), scope.maxDepth(), task);
    }

    private static SkipRule rule(Policy policy) {
        Integer days = policy.outdatedAfterDays();
        if (days != null) {
            return SkipRule.verifiedWithin(days);
        }
        return policy.skip() == Skip.VERIFIED ? SkipRule.VERIFIED : SkipRule.NOTHING;
    }

    private static String type(Request request) {
        if (request.snapshot() != null) {
            return "verify_snapshot";
        }
        return request.scope().group() != null ? "verify_group" : "verify";
    }

    private static String id(Request request) {
        String path = request.scope().namespace().components().stream()
                .map(component -> "ns/" + component)
                .collect(Collectors.joining("/"));
        SnapshotId snapshot = request.snapshot();
        if (snapshot != null) {
            return String.format(
                    Locale.ROOT, "%s:%s/%s/%08X", request.store(), path, snapshot.group(), snapshot.time());
        }
        if (request.scope().group() != null) {
            return request.store() + ":" + path + "/" + request.scope().group();
        }
        return path.isEmpty() ? request.store() : request.store() + ":" + path;
    }

    private static Result result(
            Request request, TaskOutcome<VerifyReport> outcome, boolean readOnly, long durationMillis) {
        VerifyReport report = outcome.value();
        VerifyReport.Figures figures = report.figures();
        return new Result(
                request.store(),
                outcome.upid().toString(),
                readOnly,
                report.isGood(),
                figures.chunks(),
                figures.bytes(),
                figures.corrupt(),
                figures.missing(),
                figures.unreadable(),
                figures.setAside(),
                report.snapshots().stream().map(VerifyJob::item).toList(),
                report.badChunks().stream().map(VerifyJob::item).toList(),
                report.errors(),
                durationMillis);
    }

    private static SnapshotResult item(VerifyReport.SnapshotResult result) {
        return new SnapshotResult(
                result.namespace().toString(),
                result.snapshot().toString(),
                kebab(result.state()),
                result.skipped().isEmpty() ? null : result.skipped(),
                result.errors(),
                result.findings().stream().map(VerifyJob::item).toList());
    }

    private static FindingItem item(VerifyReport.Finding finding) {
        return new FindingItem(
                kebab(finding.kind()),
                finding.archive(),
                finding.digest().orElse(null),
                finding.offset() < 0 ? null : finding.offset(),
                finding.reason());
    }

    private static BadChunk item(VerifyReport.BadChunk chunk) {
        return new BadChunk(
                chunk.digest(),
                kebab(chunk.kind()),
                chunk.reason(),
                chunk.badCopy().isPresent()
                        ? chunk.digest() + "." + chunk.badCopy().getAsInt() + ".bad"
                        : null);
    }

    private static String kebab(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
