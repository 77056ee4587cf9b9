package dev.holdfast.engine.job;

import dev.holdfast.datastore.error.DatastoreException;

/** A snapshot has no such archive, or an archive no entry of a path that was asked for. */
public final class NotInArchiveException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String path;

    private NotInArchiveException(String path, String message) {
        super(message);
        this.path = path;
    }

    static NotInArchiveException noEntry(String path, String archive) {
        return new NotInArchiveException(
                path, archive + " has no entry '" + path + "'; 'archive list' shows what it has");
    }

    static NotInArchiveException noArchive(String snapshot, String archive) {
        return new NotInArchiveException(
                archive, "snapshot " + snapshot + " has no " + archive + "; 'snapshot files' shows what it has");
    }

    /** Path of the entry, or name of the archive. */
    public String path() {
        return path;
    }
}
