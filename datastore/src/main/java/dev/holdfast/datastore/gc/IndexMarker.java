package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.posix.PosixFiles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one index and hands its references on.
 *
 * <p>The records are trusted with other people's chunks, so they are checked while they pass: ends must grow, and the
 * checksum over all of them must be the one in the header, and the manifest's where there is one. A difference is found
 * only at the end, when the digests that were read have been handed on already; that marks a few chunks too many, never
 * one too few, and the run fails anyway.
 *
 * <p>For use by one thread.
 */
final class IndexMarker {

    private static final int STAGE_BYTES = 40 * 1024;
    private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final PosixFiles files;
    private final ReferenceSink sink;
    private final MarkedIndexes indexes;
    private final MarkProgress progress;
    private final MessageDigest sha = sha256();
    private final byte[] stage = new byte[STAGE_BYTES];
    private int staged;
    private long lastEnd;
    private long count;
    private long firstBad;
    private boolean dynamic;
    private int number;

    IndexMarker(PosixFiles files, ReferenceSink sink, GcRun run) {
        this.files = files;
        this.sink = sink;
        this.indexes = run.indexes();
        this.progress = run.progress();
    }

    /**
     * Marks an index.
     *
     * @param path where it is
     * @param relative its path below the root, for messages
     * @param entry what the manifest says about it, if it does
     * @return its number of records, or -1 if it is not there
     * @throws SafetyException if it cannot be read, or what was read cannot be trusted
     */
    long mark(Path path, String relative, @Nullable ManifestEntry entry) throws DatastoreException {
        try (IndexReader reader = IndexReader.open(files, path)) {
            number = indexes.number(relative);
            dynamic = reader.kind() == ArchiveName.Kind.DYNAMIC_INDEX;
            staged = 0;
            lastEnd = 0;
            count = 0;
            firstBad = -1;
            sha.reset();
            progress.readingBegan();
            reader.forEach(this::record);
            progress.readingEnded();
            sha.update(stage, 0, staged);
            check(relative, reader, entry);
            indexes.marked(number, reader.size());
            return count;
        } catch (SnapshotMissingException e) {
            return -1;
        } catch (TaskAbortedException | SafetyException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    relative,
                    "index " + relative + " cannot be read, so the chunks it needs are not known: " + e.getMessage()
                            + "; restore it from a copy, or forget its snapshot. Nothing has been removed",
                    e);
        }
    }

    private void record(byte[] records, int offset, long start, long end) throws DatastoreException {
        if (dynamic) {
            if (end <= lastEnd && firstBad < 0) {
                firstBad = count;
            }
            lastEnd = end;
        }
        if (staged + 40 > STAGE_BYTES) {
            sha.update(stage, 0, staged);
            staged = 0;
        }
        if (dynamic) {
            LITTLE.set(stage, staged, end);
            staged += 8;
        }
        System.arraycopy(records, offset, stage, staged, ChunkDigest.BYTES);
        staged += ChunkDigest.BYTES;
        count++;
        sink.reference(records, offset, number);
    }

    private void check(String relative, IndexReader reader, @Nullable ManifestEntry entry) throws DatastoreException {
        if (firstBad >= 0) {
            throw damaged(relative, "the end of record " + firstBad + " is not after the one before it");
        }
        ChunkDigest computed = ChunkDigest.of(sha.digest());
        if (!computed.equals(reader.storedChecksum())) {
            throw damaged(
                    relative,
                    "its records have the checksum " + computed + ", its header says " + reader.storedChecksum());
        }
        if (entry == null) {
            return;
        }
        if (!computed.equals(entry.checksum())) {
            throw damaged(
                    relative, "its records have the checksum " + computed + ", the manifest says " + entry.checksum());
        }
        if (reader.size() != entry.size()) {
            throw damaged(
                    relative,
                    "it stands for " + reader.size() + " bytes, the manifest says " + entry.size() + " bytes");
        }
    }

    private static SafetyException damaged(String relative, String how) {
        return new SafetyException(
                relative,
                "index " + relative + " is damaged: " + how + ". Records may be lost, and with them the chunks they"
                        + " name; restore it from a copy, or forget its snapshot. Nothing has been removed");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
