package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.IndexReader;
import dev.holdfast.datastore.manifest.BackupManifest;
import org.jspecify.annotations.Nullable;

/** A snapshot that is open for reading; the shared lock is held until {@code close}, which is idempotent. */
public interface SnapshotReader extends AutoCloseable {

    SnapshotDirectory directory();

    BackupManifest manifest();

    @Nullable
    CryptConfig crypt();

    /**
     * Opens an index after checking its checksum and size against the manifest.
     *
     * @throws dev.holdfast.datastore.error.FormatException if they differ, or the manifest does not list it
     */
    IndexReader index(ArchiveName name) throws DatastoreException;

    /**
     * Loads and decodes a blob after checking length, checksum and encryption against the manifest. The manifest itself and
     * the client's log are not listed in it; of these the container's own checksum is checked.
     *
     * @throws dev.holdfast.datastore.error.FormatException if they differ, or the manifest does not list it
     * @throws dev.holdfast.datastore.error.WrongKeyException if it is encrypted and the key is missing or another
     */
    byte[] blob(ArchiveName name) throws DatastoreException;

    @Override
    void close();
}
