package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Random access to the bytes of an archive. Every chunk's digest and length are checked before a byte of it leaves. Keeps
 * the chunk that it read last, so that small reads in order load each chunk once. One thread at a time.
 */
public final class ArchiveReader {

    private final IndexReader index;
    private final ChunkReader reader;
    private long cachedRecord = -1;
    private @Nullable ChunkDigest cachedDigest;
    private byte[] cached = new byte[0];

    /**
     * @param index stays open for as long as this is used; closed by whoever opened it
     * @param key how its chunks are protected
     */
    public ArchiveReader(ChunkStore chunks, IndexReader index, ContentKey key) {
        this.index = index;
        this.reader = new ChunkReader(chunks, key);
    }

    /** Logical size in bytes. */
    public long size() throws DatastoreException {
        return index.size();
    }

    /**
     * The checked plain bytes of the chunk of one record; do not modify.
     *
     * @throws dev.holdfast.datastore.error.ChunkMissingException if the chunk is absent
     * @throws dev.holdfast.datastore.error.ChunkCorruptException if its content, length or digest is wrong
     * @throws dev.holdfast.datastore.error.WrongKeyException if it is encrypted and the key is missing or another
     */
    public byte[] chunk(long record) throws DatastoreException {
        if (record != cachedRecord) {
            int length = ChunkReader.length(index, record);
            ChunkDigest digest = index.digest(record);
            if (!digest.equals(cachedDigest) || cached.length != length) {
                cachedRecord = -1;
                cachedDigest = null;
                cached = reader.read(digest, length);
                cachedDigest = digest;
            }
            cachedRecord = record;
        }
        return cached;
    }

    /**
     * Reads at a position.
     *
     * @return number of bytes read, less than {@code length} only at the end; 0 past it
     */
    public int read(long position, byte[] target, int offset, int length) throws DatastoreException {
        java.util.Objects.checkFromIndexSize(offset, length, target.length);
        if (position < 0) {
            throw new IllegalArgumentException("position must not be negative: " + position);
        }
        int done = 0;
        long record = length == 0 ? -1 : index.recordAt(position);
        while (record >= 0 && record < index.count() && done < length) {
            byte[] chunk = chunk(record);
            int inner = Math.toIntExact(position + done - (index.end(record) - chunk.length));
            int part = Math.min(chunk.length - inner, length - done);
            System.arraycopy(chunk, inner, target, offset + done, part);
            done += part;
            record++;
        }
        return done;
    }
}
