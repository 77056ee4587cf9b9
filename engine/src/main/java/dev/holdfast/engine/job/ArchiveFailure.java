package dev.holdfast.engine.job;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.tree.RestoreRefusedException;
import dev.holdfast.datastore.error.AlreadyExistsException;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.FormatException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.posix.PosixException;
import java.io.IOException;

/** What reading or writing a tree threw, as a failure of a job. */
final class ArchiveFailure {

    private ArchiveFailure() {}

    /** @param archive name of the archive, for messages */
    static DatastoreException of(IOException e, String archive) {
        if (e instanceof DatastoreException known) {
            return known;
        }
        if (e instanceof PosixException posix) {
            return Failure.wrapped(posix);
        }
        if (e instanceof ArchiveFormatException) {
            return new FormatException(archive, archive + ": " + e.getMessage(), e);
        }
        if (e instanceof RestoreRefusedException refused) {
            return switch (refused.reason()) {
                case EXISTS ->
                    new AlreadyExistsException(
                            refused.path(),
                            refused.path() + " exists already; restore to another place, or give --overwrite");
                case DIRECTORY_IN_THE_WAY -> new AlreadyExistsException(refused.path(), refused.getMessage());
                case NOT_IN_ARCHIVE -> NotInArchiveException.noEntry(refused.path(), archive);
                default -> new SafetyException(refused.path(), refused.getMessage(), refused);
            };
        }
        return new DatastoreException(archive + ": " + e.getMessage(), e);
    }
}
