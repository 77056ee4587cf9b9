package dev.holdfast.datastore.restore;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.WrongKeyException;
import dev.holdfast.datastore.manifest.ManifestEntry;
import dev.holdfast.datastore.snapshot.SnapshotReader;
import org.jspecify.annotations.Nullable;

/**
 * How the chunks of an archive are protected, as the manifest says; a chunk that is not is refused.
 *
 * @param mode of the archive
 * @param key opens chunks of mode {@code encrypt}; may be there for others
 */
public record ContentKey(CryptMode mode, @Nullable CryptConfig key) {

    /** Nothing is encrypted. */
    public static final ContentKey PLAIN = new ContentKey(CryptMode.NONE, null);

    /**
     * For an archive of an open snapshot, with the key that it was opened with.
     *
     * @throws FormatException if the manifest does not list the archive
     * @throws WrongKeyException if it is encrypted, and the snapshot was opened without key
     */
    public static ContentKey of(SnapshotReader snapshot, ArchiveName name) throws DatastoreException {
        ManifestEntry entry = snapshot.manifest()
                .file(name)
                .orElseThrow(() -> new FormatException(
                        name.text(), "the manifest of " + snapshot.directory().id() + " does not list " + name));
        if (entry.cryptMode() == CryptMode.ENCRYPT && snapshot.crypt() == null) {
            throw new WrongKeyException(
                    name.text(), name + " of " + snapshot.directory().id() + " is encrypted; give its key file");
        }
        return new ContentKey(entry.cryptMode(), snapshot.crypt());
    }

    boolean isEncrypted() {
        return mode == CryptMode.ENCRYPT;
    }
}
