package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.error.ChunkMissingException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.snapshot.AccessMode;
import dev.holdfast.engine.wiring.Engine;
import dev.holdfast.engine.wiring.OpenDatastore;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at single files of a store, and says whether they are sound. */
public final class InspectJob {

    private final Engine engine;

    /**
     * A blob file.
     *
     * @param size of the file, bytes
     * @param dataSize plain bytes in it; null if it is encrypted
     * @param crc as the file has it, hex; it was checked
     */
    public record BlobFacts(
            String path,
            String kind,
            boolean encrypted,
            boolean compressed,
            long size,
            @Nullable Long dataSize,
            String crc) {}

    /**
     * An index file.
     *
     * @param size logical size, bytes
     * @param chunkSize bytes; null for a dynamic index
     * @param ctime in its header, Unix seconds
     * @param checksum in its header
     * @param sound whether that is the checksum of its records
     */
    public record IndexFacts(
            String path,
            String kind,
            String uuid,
            long ctime,
            long size,
            @Nullable Long chunkSize,
            long chunks,
            ChunkDigest checksum,
            boolean sound) {}

    /**
     * A chunk.
     *
     * @param size of the file, bytes
     * @param dataSize plain bytes in it; null if it is encrypted
     * @param atime Unix seconds
     * @param sound whether its content has the digest; null if that takes a key
     */
    public record ChunkFacts(
            String datastore,
            ChunkDigest digest,
            String path,
            long size,
            @Nullable Long dataSize,
            long atime,
            boolean encrypted,
            boolean compressed,
            @Nullable Boolean sound) {}

    /**
     * A manifest.
     *
     * @param json its document, as text
     */
    public record ManifestFacts(String path, String json) {}

    public InspectJob(Engine engine) {
        this.engine = engine;
    }

    /** @throws FormatException if it is no sound blob */
    public BlobFacts blob(Path path) throws DatastoreException {
        DataBlob blob = DataBlob.parse(content(path), path.toString());
        Long dataSize = blob.isEncrypted()
                ? null
                : (Long) (long) new BlobDecoder(null).decode(blob, path.toString(), DataBlob.MAX_DATA_BYTES).length;
        byte[] encoded = blob.encoded();
        return new BlobFacts(
                path.toString(),
                (blob.isEncrypted() ? "encrypted" : "plain") + (blob.isCompressed() ? ", compressed" : ""),
                blob.isEncrypted(),
                blob.isCompressed(),
                blob.size(),
                dataSize,
                String.format(Locale.ROOT, "%02x%02x%02x%02x", encoded[11], encoded[10], encoded[9], encoded[8]));
    }

    /** @throws FormatException if it cannot be opened as an index */
    public IndexFacts index(Path path) throws DatastoreException {
        if (!path.toString().endsWith(".fidx") && !path.toString().endsWith(".didx")) {
            throw new IllegalArgumentException("the name of an index ends in .fidx or .didx: " + path);
        }
        try (IndexReader index = IndexReader.open(engine.files(), path.toAbsolutePath())) {
            boolean fixed = index.kind() == ArchiveName.Kind.FIXED_INDEX;
            index.checkOrder();
            String hex = HexFormat.of().formatHex(index.uuid());
            return new IndexFacts(
                    path.toString(),
                    fixed ? "fixed" : "dynamic",
                    hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"),
                    index.createdSeconds(),
                    index.size(),
                    fixed ? index.chunkSize() : null,
                    index.count(),
                    index.storedChecksum(),
                    index.storedChecksum().equals(index.computeChecksum()));
        }
    }

    /** @throws ChunkMissingException if the store does not have it */
    public ChunkFacts chunk(String store, ChunkDigest digest) throws DatastoreException {
        try (OpenDatastore open = engine.datastores().open(store, AccessMode.READ_ONLY)) {
            Optional<ChunkStat> stat = open.chunks().stat(digest);
            if (stat.isEmpty()) {
                throw new ChunkMissingException(digest, "datastore '" + store + "' has no chunk " + digest);
            }
            DataBlob blob = open.chunks().load(digest);
            byte[] data = blob.isEncrypted() ? null : new BlobDecoder(null).decodeChunk(blob, digest, -1);
            return new ChunkFacts(
                    store,
                    digest,
                    open.layout().chunks().resolve(ChunkName.relative(digest)).toString(),
                    stat.get().size(),
                    data == null ? null : (Long) (long) data.length,
                    stat.get().accessSeconds(),
                    blob.isEncrypted(),
                    blob.isCompressed(),
                    data == null ? null : Boolean.TRUE);
        }
    }

    /** @throws FormatException if it is no manifest */
    public ManifestFacts manifest(Path path) throws DatastoreException {
        DataBlob blob = DataBlob.parse(content(path), path.toString());
        byte[] json = BackupManifest.fromBlob(blob, path.toString()).toJson();
        return new ManifestFacts(path.toString(), new String(json, StandardCharsets.UTF_8));
    }

    private byte[] content(Path path) throws DatastoreException {
        PosixFiles files = engine.files();
        try (ReadableFile file = files.openForReading(path.toAbsolutePath())) {
            FileStat stat = new FileStat();
            file.stat(stat);
            long limit = DataBlob.MAX_DATA_BYTES + (long) DataBlob.ENCRYPTED_HEADER_BYTES;
            if (stat.type() != FileType.REGULAR || stat.size() > limit) {
                throw new FormatException(
                        path.toString(), path + " is not a regular file of at most " + limit + " bytes, so no blob");
            }
            byte[] content = new byte[(int) stat.size()];
            int count = file.read(0, ByteBuffer.wrap(content));
            if (count != content.length) {
                throw new FormatException(path.toString(), path + " became shorter while it was read");
            }
            return content;
        } catch (PosixException e) {
            throw Failure.wrapped(e);
        }
    }
}
