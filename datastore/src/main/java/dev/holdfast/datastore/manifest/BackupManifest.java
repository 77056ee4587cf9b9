package dev.holdfast.datastore.manifest;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of a snapshot: a value. Unknown members are kept when it is written again.
 */
public final class BackupManifest {

    private BackupManifest() {}

    /** A manifest without files, unprotected members or signature. */
    public static BackupManifest create(SnapshotId snapshot) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** @throws dev.holdfast.datastore.error.FormatException if it does not parse */
    public static BackupManifest parse(byte[] json, String name) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Reads the content of a manifest file. */
    public static BackupManifest fromBlob(DataBlob blob, String name) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    public SnapshotId snapshot() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** In order of upload, which is part of what is signed. */
    public List<ManifestEntry> files() {
        throw new UnsupportedOperationException("skeleton");
    }

    public Optional<ManifestEntry> file(ArchiveName name) {
        throw new UnsupportedOperationException("skeleton");
    }

    public BackupManifest withFile(ManifestEntry entry) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The member {@code unprotected}: notes, verify_state, chunk_upload_stats, key-fingerprint and others. */
    public Map<String, Object> unprotected() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Sets (or with null removes) one member of {@code unprotected}; values are strings, longs, booleans, maps, lists. */
    public BackupManifest withUnprotected(String key, @Nullable Object value) {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The first notes text, or empty. */
    public String notes() {
        throw new UnsupportedOperationException("skeleton");
    }

    public Optional<String> signature() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** Signs, and records the key's fingerprint. */
    public BackupManifest signed(CryptConfig crypt) {
        throw new UnsupportedOperationException("skeleton");
    }

    /**
     * @throws dev.holdfast.datastore.error.WrongKeyException if the fingerprint or the signature differs, or content is
     *     encrypted and no key is given
     */
    public void checkSignature(@Nullable CryptConfig crypt, String name) throws DatastoreException {
        throw new UnsupportedOperationException("skeleton");
    }

    /** What is signed: no white space, members sorted by bytes, without {@code unprotected} and {@code signature}. */
    public byte[] canonical() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The serialised form: two-space indent, members sorted. */
    public byte[] toJson() {
        throw new UnsupportedOperationException("skeleton");
    }

    /** The content of a manifest file: compressed if that helps, never encrypted. */
    public DataBlob toBlob() {
        throw new UnsupportedOperationException("skeleton");
    }
}
