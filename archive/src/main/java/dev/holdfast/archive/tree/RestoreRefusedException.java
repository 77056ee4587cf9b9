package dev.holdfast.archive.tree;

import java.io.IOException;

/** A restore would have done what it must not. What was restored until then stays. */
public final class RestoreRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** Something of that name is there, and overwriting was not asked for. */
        EXISTS("exists already; restore to another place or ask for overwriting"),
        /** A directory is where the archive has something else. */
        DIRECTORY_IN_THE_WAY("is a directory, and the archive has something else there; remove it first"),
        /** The archive has the name twice in one directory. */
        DUPLICATE_NAME("comes twice in the archive; the archive is damaged or hostile"),
        /** A hard link does not name an earlier regular file within the archive by a plain path. */
        BAD_HARD_LINK("is a hard link to something that is no earlier file of the archive"),
        /** A mode has bits that no inode has, or a link target holds a NUL. */
        BAD_METADATA("has a mode or link target that no file can have"),
        /** A path that was asked for is not in the archive. */
        NOT_IN_ARCHIVE("is not in the archive");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    private final String path;
    private final Reason reason;

    public RestoreRefusedException(String path, Reason reason) {
        super(path + ": " + reason.text);
        this.path = path;
        this.reason = reason;
    }

    public String path() {
        return path;
    }

    public Reason reason() {
        return reason;
    }
}
