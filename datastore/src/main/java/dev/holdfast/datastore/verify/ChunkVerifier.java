package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.ChunkCorruptException;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.task.TaskContext;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads one chunk and says what it is. Without the key an encrypted chunk can be checked for container and checksum only.
 * Safe for use by any thread; decoders are kept per thread.
 */
final class ChunkVerifier {

    private final ChunkStore chunks;
    private final VerifyLedger ledger;
    private final VerifyOptions.Effects effects;
    private final TaskContext task;
    private final ThreadLocal<BlobDecoder> decoders = ThreadLocal.withInitial(() -> new BlobDecoder(null));

    ChunkVerifier(ChunkStore chunks, VerifyLedger ledger, VerifyOptions.Effects effects, TaskContext task) {
        this.chunks = chunks;
        this.ledger = ledger;
        this.effects = effects;
        this.task = task;
    }

    /** Loads; damage is handled here, what is loaded goes to {@link #check}. @return null if the verdict is in already */
    @Nullable
    DataBlob load(ChunkDigest digest) {
        try {
            DataBlob blob = chunks.load(digest);
            ledger.read(blob.size());
            return blob;
        } catch (ChunkCorruptException e) {
            confirm(digest);
        } catch (ChunkMissingException e) {
            ledger.missing(digest, message(e));
        } catch (DatastoreException e) {
            ledger.unreadable(digest, message(e));
        }
        return null;
    }

    void check(ChunkDigest digest, DataBlob blob) {
        try {
            ledger.good(digest, judge(digest, blob));
        } catch (ChunkCorruptException e) {
            confirm(digest);
        } catch (DatastoreException e) {
            ledger.unreadable(digest, message(e));
        }
    }

    private int judge(ChunkDigest digest, DataBlob blob) throws DatastoreException {
        return blob.isEncrypted() ? VerifyLedger.GOOD_ENCRYPTED : decoders.get().decodeChunk(blob, digest, -1).length;
    }

    /** The second read: memory, cables and controllers flip bits too, and then the chunk is not to blame. */
    private void confirm(ChunkDigest digest) {
        try {
            DataBlob blob = chunks.load(digest);
            ledger.read(blob.size());
            int verdict = judge(digest, blob);
            task.warn("chunk " + digest + " was read wrongly once and rightly the second time: suspect memory or disk");
            ledger.good(digest, verdict);
        } catch (ChunkCorruptException e) {
            ledger.corrupt(digest, message(e), setAside(digest, e));
        } catch (ChunkMissingException e) {
            ledger.missing(digest, message(e));
        } catch (DatastoreException e) {
            ledger.unreadable(digest, message(e));
        }
    }

    private OptionalInt setAside(ChunkDigest digest, ChunkCorruptException damage) {
        if (effects == VerifyOptions.Effects.READ_ONLY) {
            task.warn(damage.getMessage());
            return OptionalInt.empty();
        }
        try {
            OptionalInt copy = chunks.quarantine(digest);
            task.warn(damage.getMessage()
                    + (copy.isPresent() ? "; set aside as " + digest + "." + copy.getAsInt() + ".bad" : ""));
            return copy;
        } catch (DatastoreException e) {
            task.warn(damage.getMessage() + "; it could not be set aside: " + e.getMessage());
            return OptionalInt.empty();
        }
    }

    private static String message(DatastoreException e) {
        return String.valueOf(e.getMessage());
    }
}
