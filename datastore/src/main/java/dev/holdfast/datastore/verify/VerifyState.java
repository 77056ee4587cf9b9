package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.Upid;
import dev.holdfast.datastore.manifest.BackupManifest;
import java.util.Map;
import java.util.Optional;

/**
 * The last result of a snapshot, as its manifest keeps it.
 *
 * @param upid the task that verified it
 * @param startSeconds when that task began, Unix seconds
 * @param good whether nothing was wrong
 */
public record VerifyState(String upid, long startSeconds, boolean good) {

    /** The member of {@code unprotected}. */
    public static final String MEMBER = "verify_state";

    private static final String OK = "ok";
    private static final String FAILED = "failed";

    /** Empty if there is none, or it does not parse: then the snapshot counts as never verified. */
    public static Optional<VerifyState> of(BackupManifest manifest) {
        if (manifest.unprotected().get(MEMBER) instanceof Map<?, ?> state
                && state.get("upid") instanceof String upid
                && state.get("state") instanceof String result
                && (result.equals(OK) || result.equals(FAILED))) {
            try {
                return Optional.of(new VerifyState(upid, Upid.parse(upid).startTime(), result.equals(OK)));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** The manifest with this result. */
    static BackupManifest record(BackupManifest manifest, String upid, boolean good) {
        return manifest.withUnprotected(MEMBER, Map.of("upid", upid, "state", good ? OK : FAILED));
    }
}
