package dev.holdfast.datastore.prune;

import dev.holdfast.api.model.SnapshotId;
import java.util.List;

/**
 * What a retention policy says about the snapshots of one group: a value, nothing has been removed.
 *
 * @param decisions one for each snapshot, newest first
 * @param keepsSomething whether any count of the policy is above zero; if not, everything is kept whatever the marks say
 */
public record PrunePlan(List<Decision> decisions, boolean keepsSomething) {

    /** What is to happen to a snapshot. */
    public enum Mark {
        KEEP("keep"),
        /** Not finished, and the newest: a backup that may still be running. */
        KEEP_PARTIAL("keep-partial"),
        PROTECTED("protected"),
        REMOVE("remove");

        private final String text;

        Mark(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * @param snapshot the snapshot
     * @param mark what the rules say
     * @param rule the rule that decided, for example {@code keep-daily}, with the period; or the reason in a word
     */
    public record Decision(SnapshotId snapshot, Mark mark, String rule) {}

    /** The snapshots to remove, oldest first; none if the policy keeps nothing by rule. */
    public List<Decision> removals() {
        if (!keepsSomething) {
            return List.of();
        }
        return decisions.stream()
                .filter(decision -> decision.mark() == Mark.REMOVE)
                .sorted((a, b) -> a.snapshot().compareTo(b.snapshot()))
                .toList();
    }
}
