package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.verify.VerifyReport.BadChunk;
import dev.holdfast.datastore.verify.VerifyReport.Figures;
import dev.holdfast.datastore.verify.VerifyReport.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/** What is known of chunks so far in one run, so that each is read once. Safe for use by any thread. */
final class VerifyLedger {

    /** Not looked at yet. */
    static final int UNKNOWN = DigestTable.ABSENT;

    /** Good as far as can be told without the key; other good chunks have their plain length as verdict. */
    static final int GOOD_ENCRYPTED = -1;

    private static final int CORRUPT = -2;
    private static final int MISSING = -3;
    private static final int UNREADABLE = -4;

    private final DigestTable verdicts = new DigestTable();
    private final Map<ChunkDigest, BadChunk> listed = new LinkedHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong corrupt = new AtomicLong();
    private final AtomicLong missing = new AtomicLong();
    private final AtomicLong unreadable = new AtomicLong();
    private final AtomicLong setAside = new AtomicLong();

    /** A length, {@link #GOOD_ENCRYPTED}, {@link #UNKNOWN}, or something else for a bad chunk. */
    int verdict(byte[] digests, int offset) {
        return verdicts.get(digests, offset);
    }

    /** The kind of a verdict that is not good. */
    static Kind kind(int verdict) {
        return switch (verdict) {
            case CORRUPT -> Kind.CORRUPT_CHUNK;
            case MISSING -> Kind.MISSING_CHUNK;
            case UNREADABLE -> Kind.UNREADABLE_CHUNK;
            default -> throw new IllegalArgumentException("not the verdict of a bad chunk: " + verdict);
        };
    }

    static boolean isBad(int verdict) {
        return verdict < GOOD_ENCRYPTED && verdict != UNKNOWN;
    }

    void read(long encodedBytes) {
        bytes.addAndGet(encodedBytes);
    }

    /** @param verdict a length, or {@link #GOOD_ENCRYPTED} */
    void good(ChunkDigest digest, int verdict) {
        verdicts.put(digest.bytes(), verdict);
    }

    void corrupt(ChunkDigest digest, String reason, OptionalInt badCopy) {
        corrupt.incrementAndGet();
        if (badCopy.isPresent()) {
            setAside.incrementAndGet();
        }
        bad(new BadChunk(digest, Kind.CORRUPT_CHUNK, reason, badCopy), CORRUPT);
    }

    void missing(ChunkDigest digest, String reason) {
        missing.incrementAndGet();
        bad(new BadChunk(digest, Kind.MISSING_CHUNK, reason, OptionalInt.empty()), MISSING);
    }

    void unreadable(ChunkDigest digest, String reason) {
        unreadable.incrementAndGet();
        bad(new BadChunk(digest, Kind.UNREADABLE_CHUNK, reason, OptionalInt.empty()), UNREADABLE);
    }

    private void bad(BadChunk chunk, int verdict) {
        synchronized (listed) {
            if (listed.size() < VerifyReport.MAX_LISTED) {
                listed.put(chunk.digest(), chunk);
            }
        }
        verdicts.put(chunk.digest().bytes(), verdict);
    }

    /** Why a chunk is bad. */
    String reason(ChunkDigest digest, int verdict) {
        synchronized (listed) {
            BadChunk chunk = listed.get(digest);
            if (chunk != null) {
                return chunk.reason();
            }
        }
        return "chunk " + digest + " is bad (" + kind(verdict) + ")";
    }

    List<BadChunk> badChunks() {
        synchronized (listed) {
            return List.copyOf(listed.values());
        }
    }

    Figures figures() {
        return new Figures(
                verdicts.size(), bytes.get(), corrupt.get(), missing.get(), unreadable.get(), setAside.get());
    }
}
