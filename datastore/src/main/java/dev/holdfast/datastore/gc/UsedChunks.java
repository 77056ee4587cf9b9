package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.task.TaskAbortedException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.BitSet;

/**
 * What a mark without touches has found to be used: a set of digests, and the prefix directories in which they must lie.
 *
 * <p>Touching finds out what is missing by the way; here it is found out afterwards. A missing prefix directory ends the
 * run before anything is removed, as a touch there would have. A chunk that the sweep has not come by is looked for in a
 * second pass over the indexes, and named.
 *
 * <p>{@link #add} is for one thread; the rest for any number once nothing is added.
 */
final class UsedChunks {

    /** So many references pass at most between two looks for an abort. */
    private static final int ABORT_INTERVAL = 1024;

    private final MarkSet set = new MarkSet(new SecureRandom());
    private final BitSet prefixes = new BitSet(DatastoreLayout.PREFIXES);

    /** Adds the 32 bytes at {@code offset}. */
    void add(byte[] digest, int offset) {
        if (set.add(digest, offset)) {
            prefixes.set((digest[offset] & 0xff) << 8 | digest[offset + 1] & 0xff);
        }
    }

    /** Whether the digest is used. */
    boolean contains(byte[] digest) {
        return set.contains(digest, 0);
    }

    /** Whether the digest is used; if so, remembers that its chunk was come by. */
    boolean see(byte[] digest) {
        return set.see(digest, 0);
    }

    /** Distinct digests. */
    long size() {
        return set.size();
    }

    /** @throws SafetyException if used chunks should lie in a prefix directory that is missing */
    void requireUnused(int absentPrefix) throws SafetyException {
        if (prefixes.get(absentPrefix)) {
            String name = new String(ChunkName.prefix(absentPrefix), StandardCharsets.US_ASCII);
            throw new SafetyException(
                    name,
                    "chunk directory " + name + " is missing, and indexes name chunks in it: a lost directory is not a"
                            + " lost chunk. Find out where it went, or make it again, empty, with the owner and mode of"
                            + " its neighbours. Nothing has been removed, a real run would stop here");
        }
    }

    /** Finds out which used chunks were not come by, and who names them. */
    void reportMissing(GcStore store, GcRun run) throws DatastoreException {
        if (set.unseen() == 0) {
            return;
        }
        int[] untilLook = {ABORT_INTERVAL};
        for (String relative : run.indexes().markedPaths()) {
            run.task().checkAbort();
            try (IndexReader reader =
                    IndexReader.open(store.files(), store.layout().root().resolve(relative))) {
                reader.forEach((records, offset, start, end) -> {
                    if (--untilLook[0] == 0) {
                        untilLook[0] = ABORT_INTERVAL;
                        run.task().checkAbort();
                    }
                    if (set.isUnseen(records, offset)) {
                        reportIfMissing(store, run, ChunkDigest.of(records, offset), relative);
                    }
                });
            } catch (SnapshotMissingException e) {
                run.task().log("index " + relative + " was removed meanwhile");
            }
        }
    }

    private void reportIfMissing(GcStore store, GcRun run, ChunkDigest digest, String index) throws DatastoreException {
        try {
            if (store.chunks().stat(digest).isEmpty()) {
                run.warnings().missingChunk(digest, index);
            }
        } catch (TaskAbortedException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    digest.toString(),
                    "chunk " + digest + ", which index " + index + " needs, cannot be looked at: " + e.getMessage(),
                    e);
        }
    }
}
