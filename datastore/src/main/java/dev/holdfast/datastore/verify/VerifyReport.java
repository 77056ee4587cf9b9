package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.SnapshotId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a run found.
 *
 * @param snapshots in the order in which they were looked at
 * @param badChunks each bad chunk once, at most {@link #MAX_LISTED} of them; {@code figures} has all
 * @param errors groups that could not be listed, one sentence each
 * @param figures counts over the whole run
 */
public record VerifyReport(
        List<SnapshotResult> snapshots, List<BadChunk> badChunks, List<String> errors, Figures figures) {

    /** Longest list of findings of one snapshot, and of bad chunks; what is beyond is counted. */
    public static final int MAX_LISTED = 1000;

    /** What became of a snapshot. */
    public enum State {
        OK,
        FAILED,
        /** By the skip rule, because it is in use, or because it vanished. Counts as success. */
        SKIPPED
    }

    /** What kind of thing is wrong. */
    public enum Kind {
        /** A chunk whose content is wrong, twice. */
        CORRUPT_CHUNK,
        /** A chunk that is certainly not there. */
        MISSING_CHUNK,
        /** A chunk that could not be read, which says nothing about its content. */
        UNREADABLE_CHUNK,
        /** A chunk that is good, but not what the index or the manifest says: length, or encrypted or not. */
        MISMATCH,
        /** A manifest, index or blob that is damaged, absent, or differs from the manifest. */
        DAMAGED_FILE,
        /** A manifest, index or blob that could not be read. */
        UNREADABLE_FILE,
        /** The result could not be written to the manifest. */
        NOT_RECORDED
    }

    /**
     * One thing that is wrong with a snapshot.
     *
     * @param archive the file of the snapshot
     * @param digest the chunk, if it is about one
     * @param offset where the chunk begins in the archive, in bytes; -1 if it is about no chunk
     * @param reason a sentence
     */
    public record Finding(Kind kind, String archive, Optional<ChunkDigest> digest, long offset, String reason) {}

    /**
     * One snapshot.
     *
     * @param findings at most {@link #MAX_LISTED}; of an archive, each chunk once, at its first place
     * @param errors how many references and files are affected in all
     * @param skipped why it was skipped; empty if it was not
     */
    public record SnapshotResult(
            BackupNamespace namespace,
            SnapshotId snapshot,
            State state,
            List<Finding> findings,
            long errors,
            String skipped) {}

    /**
     * One bad chunk.
     *
     * @param kind {@link Kind#CORRUPT_CHUNK}, {@link Kind#MISSING_CHUNK} or {@link Kind#UNREADABLE_CHUNK}
     * @param badCopy the N of the {@code .N.bad} name under which it was set aside, if it was
     */
    public record BadChunk(ChunkDigest digest, Kind kind, String reason, OptionalInt badCopy) {}

    /**
     * @param chunks chunks that were checked, each once
     * @param bytes encoded bytes that were read
     * @param corrupt chunks that are damaged
     * @param missing chunks that are not there
     * @param unreadable chunks that could not be read
     * @param setAside damaged chunks that were set aside
     */
    public record Figures(long chunks, long bytes, long corrupt, long missing, long unreadable, long setAside) {}

    /** Whether nothing is wrong with anything that was looked at. */
    public boolean isGood() {
        return errors.isEmpty() && snapshots.stream().noneMatch(result -> result.state() == State.FAILED);
    }
}
