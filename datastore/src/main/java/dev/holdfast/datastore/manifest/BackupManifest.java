package dev.holdfast.datastore.manifest;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.blob.BlobDecoder;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.blob.DataBlob;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The manifest of a snapshot: a value, safe for use by any thread. Unknown members are kept when it is written again, and
 * what was not changed is written with the content it had.
 */
public final class BackupManifest {

    /** Largest manifest, in bytes of JSON: some hundred thousand files. */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String FILES = "files";
    private static final String UNPROTECTED = "unprotected";
    private static final String SIGNATURE = "signature";
    private static final String KEY_FINGERPRINT = "key-fingerprint";

    /** Never changed once this object holds it. */
    private final ObjectNode document;

    private final SnapshotId snapshot;
    private final List<ManifestEntry> files;

    private BackupManifest(ObjectNode document, SnapshotId snapshot, List<ManifestEntry> files) {
        this.document = document;
        this.snapshot = snapshot;
        this.files = files;
    }

    /** A manifest without files, unprotected members or signature. */
    public static BackupManifest create(SnapshotId snapshot) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ManifestMembers.putSnapshot(document, snapshot);
        document.putArray(FILES);
        document.putNull(SIGNATURE);
        document.putObject(UNPROTECTED);
        return new BackupManifest(document, snapshot, List.of());
    }

    /** @throws FormatException if it does not parse */
    public static BackupManifest parse(byte[] json, String name) throws DatastoreException {
        if (json.length > MAX_BYTES) {
            throw new FormatException(name, name + " has " + json.length + " bytes, a manifest at most " + MAX_BYTES);
        }
        ObjectNode document = ManifestJson.parse(json, name);
        ManifestMembers members = new ManifestMembers(document, name);
        SnapshotId snapshot = members.snapshot();
        List<ManifestEntry> files = members.files(FILES);
        members.checkObject(UNPROTECTED);
        members.checkSignature(SIGNATURE);
        return new BackupManifest(document, snapshot, files);
    }

    /** Reads the content of a manifest file. @throws FormatException also if it is encrypted: no manifest ever is */
    public static BackupManifest fromBlob(DataBlob blob, String name) throws DatastoreException {
        if (blob.isEncrypted()) {
            throw new FormatException(name, name + " is encrypted; a manifest never is");
        }
        return parse(new BlobDecoder(null).decode(blob, name, MAX_BYTES), name);
    }

    public SnapshotId snapshot() {
        return snapshot;
    }

    /** In order of upload, which is part of what is signed. */
    public List<ManifestEntry> files() {
        return files;
    }

    public Optional<ManifestEntry> file(ArchiveName name) {
        return files.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /**
     * Adds a file at the end. A signature that was there goes, for it no longer covers the files.
     *
     * @throws IllegalArgumentException if a file of this name is listed already
     */
    public BackupManifest withFile(ManifestEntry entry) {
        if (file(entry.name()).isPresent()) {
            throw new IllegalArgumentException("the manifest lists " + entry.name() + " already");
        }
        ObjectNode changed = document.deepCopy();
        ArrayNode array = (ArrayNode) changed.get(FILES);
        array.add(ManifestMembers.toNode(entry));
        changed.putNull(SIGNATURE);
        List<ManifestEntry> longer = new ArrayList<>(files);
        longer.add(entry);
        return new BackupManifest(changed, snapshot, List.copyOf(longer));
    }

    /**
     * The member {@code unprotected}: notes, verify_state, chunk_upload_stats, key-fingerprint and others, without those
     * that are null.
     */
    public Map<String, Object> unprotected() {
        JsonNode node = document.get(UNPROTECTED);
        return node == null ? Map.of() : JsonValues.toMap(node);
    }

    /**
     * Sets (or with null removes) one member of {@code unprotected}; values are strings, longs, booleans, maps, lists.
     *
     * @throws IllegalArgumentException for another kind of value
     */
    public BackupManifest withUnprotected(String key, @Nullable Object value) {
        ObjectNode changed = document.deepCopy();
        ObjectNode unprotected =
                changed.get(UNPROTECTED) instanceof ObjectNode present ? present : changed.putObject(UNPROTECTED);
        if (value == null) {
            unprotected.remove(key);
        } else {
            unprotected.set(key, JsonValues.toNode(value));
        }
        return new BackupManifest(changed, snapshot, files);
    }

    /** The notes of the snapshot, or empty. */
    public String notes() {
        return text("notes").orElse("");
    }

    /** The fingerprint of the key that was used for content or signature. */
    public Optional<String> keyFingerprint() {
        return text(KEY_FINGERPRINT);
    }

    private Optional<String> text(String key) {
        return unprotected().get(key) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    public Optional<String> signature() {
        JsonNode node = document.get(SIGNATURE);
        return node == null || node.isNull() ? Optional.empty() : Optional.of(node.stringValue());
    }

    /** Signs, and records the key's fingerprint. */
    public BackupManifest signed(CryptConfig crypt) {
        ObjectNode changed = withUnprotected(KEY_FINGERPRINT, crypt.fingerprint()).document;
        changed.put(SIGNATURE, HexFormat.of().formatHex(crypt.authTag(canonical())));
        return new BackupManifest(changed, snapshot, files);
    }

    /**
     * Checks fingerprint and signature before content is used. With a key, a manifest without signature is accepted, as
     * Proxmox Backup Server does. The signature may cover the known members, or all: old clients signed what they parsed.
     *
     * @throws WrongKeyException if the fingerprint or the signature differs, or the manifest names a key or encrypted
     *     files and no key is given
     */
    public void checkSignature(@Nullable CryptConfig crypt, String name) throws DatastoreException {
        Optional<String> fingerprint = keyFingerprint();
        if (crypt == null) {
            boolean encrypted = files.stream().anyMatch(entry -> entry.cryptMode() == CryptMode.ENCRYPT);
            if (encrypted || fingerprint.isPresent()) {
                throw new WrongKeyException(
                        name,
                        name + " was made with key " + fingerprint.orElse("of unknown fingerprint")
                                + "; give its key file");
            }
            return;
        }
        if (fingerprint.isPresent() && !crypt.hasFingerprint(fingerprint.get())) {
            throw new WrongKeyException(
                    name,
                    name + " was made with key " + fingerprint.get() + ", not with the " + crypt + " that was given");
        }
        Optional<String> signature = signature();
        if (signature.isPresent() && !isSigned(crypt, HexFormat.of().parseHex(signature.get()))) {
            throw new WrongKeyException(
                    name,
                    name + " has a signature that " + crypt + " did not make, or was changed after it was signed");
        }
    }

    private boolean isSigned(CryptConfig crypt, byte[] signature) {
        if (MessageDigest.isEqual(signature, crypt.authTag(canonical()))) {
            return true;
        }
        ObjectNode whole = document.deepCopy();
        whole.remove(List.of(UNPROTECTED, SIGNATURE));
        return !ManifestJson.hasNull(whole)
                && MessageDigest.isEqual(signature, crypt.authTag(ManifestJson.canonical(whole)));
    }

    /**
     * What is signed: the known members without {@code unprotected} and {@code signature}, no white space, members sorted
     * by bytes.
     */
    public byte[] canonical() {
        ObjectNode signed = JsonNodeFactory.instance.objectNode();
        ManifestMembers.putSnapshot(signed, snapshot);
        ArrayNode array = signed.putArray(FILES);
        for (ManifestEntry entry : files) {
            array.add(ManifestMembers.toNode(entry));
        }
        return ManifestJson.canonical(signed);
    }

    /** The serialised form: two-space indent, members sorted; {@code signature} and {@code unprotected} always there. */
    public byte[] toJson() {
        ObjectNode whole = document.deepCopy();
        if (!whole.has(SIGNATURE)) {
            whole.putNull(SIGNATURE);
        }
        if (!whole.has(UNPROTECTED)) {
            whole.putObject(UNPROTECTED);
        }
        return ManifestJson.pretty(whole);
    }

    /** The content of a manifest file: compressed if that helps, never encrypted. */
    public DataBlob toBlob() {
        byte[] json = toJson();
        return new BlobEncoder(true, null).encode(json, 0, json.length);
    }

    /** Two manifests are equal if they are written as the same bytes. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BackupManifest that && Arrays.equals(toJson(), that.toJson());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toJson());
    }

    /** The JSON of it; there is no secret in a manifest. */
    @Override
    public String toString() {
        return new String(toJson(), StandardCharsets.UTF_8);
    }
}
