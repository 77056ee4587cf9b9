package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SnapshotMissingException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.manifest.BackupManifest;
import dev.holdfast.datastore.manifest.ManifestEntry;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** A snapshot open for reading. What its manifest says of a file is checked before a byte of it is handed out. */
final class OpenSnapshot implements SnapshotReader {

    private static final int BLOB_LIMIT = DataBlob.MAX_DATA_BYTES + DataBlob.ENCRYPTED_HEADER_BYTES;

    private final SnapshotContext context;
    private final SnapshotPlace place;
    private final BackupManifest manifest;
    private final @Nullable CryptConfig crypt;
    private final DirectoryLocks.Guard guard;

    OpenSnapshot(
            SnapshotContext context,
            SnapshotPlace place,
            BackupManifest manifest,
            @Nullable CryptConfig crypt,
            DirectoryLocks.Guard guard) {
        this.context = context;
        this.place = place;
        this.manifest = manifest;
        this.crypt = crypt;
        this.guard = guard;
    }

    @Override
    public SnapshotDirectory directory() {
        return place;
    }

    @Override
    public BackupManifest manifest() {
        return manifest;
    }

    @Override
    public @Nullable CryptConfig crypt() {
        return crypt;
    }

    @Override
    public IndexReader index(ArchiveName name) throws DatastoreException {
        ManifestEntry entry = entry(name);
        Path path = place.path().resolve(name.text());
        IndexReader index = openIndex(path);
        boolean checked = false;
        try {
            index.checkOrder();
            requireEqual(path, "size", entry.size(), index.size());
            requireEqual(path, "checksum", entry.checksum(), index.computeChecksum());
            checked = true;
            return index;
        } finally {
            if (!checked) {
                index.close();
            }
        }
    }

    private IndexReader openIndex(Path path) throws DatastoreException {
        try {
            return IndexReader.open(context.files(), path);
        } catch (SnapshotMissingException e) {
            // The shared lock keeps the snapshot from being forgotten: this is damage, not a race.
            throw missing(path, e);
        }
    }

    @Override
    public byte[] blob(ArchiveName name) throws DatastoreException {
        Path path = place.path().resolve(name.text());
        byte[] content = context.storeFiles().read(path, BLOB_LIMIT).orElse(null);
        if (isUnlisted(name)) {
            if (content == null) {
                throw new SnapshotMissingException(name.text(), "snapshot " + place.id() + " has no " + name);
            }
            return new BlobDecoder(crypt)
                    .decode(DataBlob.parse(content, path.toString()), path.toString(), DataBlob.MAX_DATA_BYTES);
        }
        ManifestEntry entry = entry(name);
        if (content == null) {
            throw missing(path, null);
        }
        requireEqual(path, "length", entry.size(), (long) content.length);
        requireEqual(path, "checksum", entry.checksum(), sha256(content));
        DataBlob blob = DataBlob.parse(content, path.toString());
        if ((entry.cryptMode() == CryptMode.ENCRYPT) != blob.isEncrypted()) {
            throw new FormatException(
                    path.toString(),
                    path + " is " + (blob.isEncrypted() ? "" : "not ") + "encrypted, but the manifest says "
                            + entry.cryptMode());
        }
        return new BlobDecoder(crypt).decode(blob, path.toString(), DataBlob.MAX_DATA_BYTES);
    }

    /** Neither the manifest itself nor the client's log, which comes after it, is listed in a manifest. */
    private static boolean isUnlisted(ArchiveName name) {
        return name.equals(ArchiveName.MANIFEST) || name.equals(ArchiveName.CLIENT_LOG);
    }

    private ManifestEntry entry(ArchiveName name) throws FormatException {
        return manifest.file(name)
                .orElseThrow(() -> new FormatException(
                        place.manifestPath().toString(), "the manifest of " + place.id() + " does not list " + name));
    }

    private FormatException missing(Path path, @Nullable Throwable cause) {
        return new FormatException(
                path.toString(),
                path + " is gone, but the manifest of " + place.id() + " lists it: the snapshot is damaged",
                cause);
    }

    private static void requireEqual(Path path, String what, Object listed, Object found) throws FormatException {
        if (!listed.equals(found)) {
            throw new FormatException(
                    path.toString(), path + " has " + what + " " + found + ", but the manifest says " + listed);
        }
    }

    static ChunkDigest sha256(byte[] content) {
        try {
            return ChunkDigest.of(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public void close() {
        guard.close();
    }
}
