package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.verify.VerifyReport.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the chunks of one index whose own checksum has been compared. Goes through the records once; those whose chunk
 * has no verdict yet are gathered, checked together, and then judged. One thread, for one index.
 */
final class IndexVerifier {

    /** Records that wait for their verdict: enough for a good read order, and some 30 MiB. */
    private static final int BATCH = 262_144;

    private final VerifyLedger ledger;
    private final VerifyPipeline pipeline;
    private final VerifyProgress progress;
    private final Findings findings;
    private final String archive;
    private final boolean encrypted;
    private final Map<ChunkDigest, Long> unknown = new LinkedHashMap<>();
    private final List<Reference> waiting = new ArrayList<>();

    private record Reference(ChunkDigest digest, long start, long length) {}

    IndexVerifier(
            VerifyLedger ledger,
            VerifyPipeline pipeline,
            VerifyProgress progress,
            Findings findings,
            ManifestEntry entry) {
        this.ledger = ledger;
        this.pipeline = pipeline;
        this.progress = progress;
        this.findings = findings;
        this.archive = entry.name().text();
        this.encrypted = entry.cryptMode() == CryptMode.ENCRYPT;
    }

    void verify(IndexReader index) throws DatastoreException {
        index.forEach((records, offset, start, end) -> {
            int verdict = ledger.verdict(records, offset);
            if (verdict != VerifyLedger.UNKNOWN) {
                progress.add(end - start);
                if (!agrees(verdict, end - start)) {
                    report(new Reference(ChunkDigest.of(records, offset), start, end - start), verdict);
                }
                return;
            }
            ChunkDigest digest = ChunkDigest.of(records, offset);
            waiting.add(new Reference(digest, start, end - start));
            unknown.merge(digest, end - start, Long::sum);
            if (waiting.size() == BATCH) {
                flush();
            }
        });
        flush();
    }

    private void flush() throws DatastoreException {
        if (waiting.isEmpty()) {
            return;
        }
        pipeline.check(unknown);
        for (Reference reference : waiting) {
            int verdict = ledger.verdict(reference.digest.bytes(), 0);
            if (!agrees(verdict, reference.length)) {
                report(reference, verdict);
            }
        }
        waiting.clear();
        unknown.clear();
    }

    private boolean agrees(int verdict, long length) {
        return encrypted ? verdict == VerifyLedger.GOOD_ENCRYPTED : verdict == length;
    }

    private void report(Reference reference, int verdict) {
        ChunkDigest digest = reference.digest;
        if (VerifyLedger.isBad(verdict)) {
            findings.chunk(
                    VerifyLedger.kind(verdict), archive, digest, reference.start, ledger.reason(digest, verdict));
            return;
        }
        // The chunk is what its name says, and other snapshots may need it: it stays.
        boolean isEncrypted = verdict == VerifyLedger.GOOD_ENCRYPTED;
        String reason = isEncrypted == encrypted
                ? "chunk " + digest + " has " + verdict + " bytes, the index says " + reference.length
                : "chunk " + digest + " is " + (isEncrypted ? "" : "not ") + "encrypted, the manifest says otherwise";
        findings.chunk(Kind.MISMATCH, archive, digest, reference.start, reason);
    }
}
