package dev.holdfast.datastore.verify;

import dev.holdfast.datastore.manifest.BackupManifest;
import java.util.OptionalInt;

/**
 * Which snapshots need not be verified again.
 *
 * @param ignoreVerified false: none is skipped
 * @param outdatedAfterDays days after which a result no longer counts; empty: it always does
 */
public record SkipRule(boolean ignoreVerified, OptionalInt outdatedAfterDays) {

    /** Every snapshot is verified. */
    public static final SkipRule NOTHING = new SkipRule(false, OptionalInt.empty());

    /** Snapshots with any result, good or bad, are skipped. */
    public static final SkipRule VERIFIED = new SkipRule(true, OptionalInt.empty());

    private static final long DAY_SECONDS = 86_400;

    /** Snapshots whose result is at most this many days old are skipped. */
    public static SkipRule verifiedWithin(int days) {
        if (days < 0) {
            throw new IllegalArgumentException("days must not be negative: " + days);
        }
        return new SkipRule(true, OptionalInt.of(days));
    }

    /** @param nowSeconds Unix seconds */
    boolean skips(BackupManifest manifest, long nowSeconds) {
        if (!ignoreVerified) {
            return false;
        }
        return VerifyState.of(manifest)
                .map(state -> outdatedAfterDays.isEmpty()
                        || Math.floorDiv(nowSeconds - state.startSeconds(), DAY_SECONDS)
                                <= outdatedAfterDays.getAsInt())
                .orElse(false);
    }
}
